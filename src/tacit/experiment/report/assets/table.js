"use strict";
// Tables that sort by a click on a header, or Enter on it: numbers largest first or smallest first,
// texts alphabetically. Cells without a value stay at the end.
(() => {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const valueOf = (row, column) => row.cells[column].dataset.v;

  function sort(table, column, up) {
    const body = table.tBodies[0], rows = [...body.rows];
    const isNumber = rows.every((row) => { const v = valueOf(row, column); return v === "" || !Number.isNaN(Number(v)); });
    const order = isNumber ? (a, b) => Number(a) - Number(b) : compare;
    rows.sort((a, b) => {
      const x = valueOf(a, column), y = valueOf(b, column);
      if (x === "" || y === "") return (x === "") - (y === "");
      return up ? order(x, y) : order(y, x);
    });
    body.append(...rows);
  }

  document.querySelectorAll("table.sortable").forEach((table) => {
    const headers = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    headers.forEach((header, column) => header.querySelector("button").addEventListener("click", () => {
      const up = header.getAttribute("aria-sort") !== "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", up ? "ascending" : "descending");
      sort(table, column, up);
    }));
  });
})();
