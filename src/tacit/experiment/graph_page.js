"use strict";
(() => {
  const svg = document.getElementById("graph");
  const kinds = ["giver", "token", "action", "fact"];
  const rows = kinds.map((kind) => [...svg.querySelectorAll(`.node.${kind}`)]);
  const lines = ["edge", "needs", "achieves"].map((kind) => [...svg.querySelectorAll(`.lines .${kind}`)]);
  const edges = lines[0].slice().sort((a, b) => a.dataset.place - b.dataset.place);
  const ranked = edges.filter((edge) => edge.dataset.place > 0);
  const nameOf = (node) => node.querySelector("title").textContent;
  const plainName = (node) => nameOf(node).replace(/: \d+ lines?$/, "");
  const put = (id, text) => { document.getElementById(id).textContent = text; };

  // Per node: its lines, and the nodes at their other ends.
  const around = new Map(rows.flat().map((node) => [node, []]));
  lines.forEach((group, row) => group.forEach((line) => {
    const below = rows[row][line.dataset.a], above = rows[row + 1][line.dataset.b];
    around.get(below).push([line, above]);
    around.get(above).push([line, below]);
  }));
  const needs = rows[2].map(() => []);
  lines[1].forEach((line) => needs[line.dataset.b].push(Number(line.dataset.a)));

  function publish(k) {
    const given = new Set();
    edges.forEach((edge) => {
      const told = edge.dataset.place <= k;
      edge.classList.toggle("told", told);
      if (told && !edge.classList.contains("threat")) given.add(Number(edge.dataset.b));
    });
    rows[1].forEach((node, n) => node.classList.toggle("on", given.has(n)));
    let enabled = 0;
    rows[2].forEach((node, n) => {
      const on = needs[n].every((token) => given.has(token));
      node.classList.toggle("on", on);
      enabled += on;
    });
    svg.style.setProperty("--told", Math.max(0.8, Math.min(2, 14 / Math.sqrt(k + 1))));
    put("count", `${k} of ${ranked.length}`);
    put("effect", `${given.size} of ${rows[1].length} tokens given, ${enabled} of ${rows[2].length} actions enabled`);
    put("newest", k ? `Edge ${k}: ${describe(ranked[k - 1])}` : "Nothing is published.");
  }

  function describe(edge) {
    const verb = edge.classList.contains("threat") ? "ends" : "gives";
    return `${plainName(rows[0][edge.dataset.a])} ${verb} ${plainName(rows[1][edge.dataset.b])}`;
  }

  let here = null;
  function look(node) {
    svg.querySelectorAll(".near, .here").forEach((item) => item.classList.remove("near", "here"));
    svg.classList.toggle("looking", Boolean(node));
    here = node;
    if (!node) { put("pointed", ""); return; }
    node.classList.add("here");
    around.get(node).forEach(([line, other]) => { line.classList.add("near"); other.classList.add("near"); });
    put("pointed", nameOf(node));
  }

  const middle = (node) => { const box = node.getBBox(); return box.x + box.width / 2; };
  const inOrder = rows.map((row) => row.slice().sort((a, b) => middle(a) - middle(b)));
  function step(key) {
    if (!here) { look(inOrder[0][0]); return; }
    const row = rows.findIndex((nodes) => nodes.includes(here));
    const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (side) {
      const place = inOrder[row].indexOf(here) + side;
      if (inOrder[row][place]) look(inOrder[row][place]);
      return;
    }
    const next = rows[row + (key === "ArrowUp" ? 1 : -1)];
    if (!next) return;
    const x = middle(here);
    const linked = around.get(here).map(([, other]) => other).filter((other) => next.includes(other));
    const nearest = (linked.length ? linked : next).slice();
    nearest.sort((a, b) => Math.abs(middle(a) - x) - Math.abs(middle(b) - x));
    look(nearest[0]);
  }

  svg.addEventListener("pointerover", (event) => {
    const node = event.target.closest(".node");
    if (node) look(node);
  });
  svg.addEventListener("pointerleave", () => look(null));
  document.querySelector("main").addEventListener("keydown", (event) => {
    if (event.key === "Escape") look(null);
    else if (event.key.startsWith("Arrow")) { event.preventDefault(); step(event.key); }
  });
  const slider = document.getElementById("k");
  slider.addEventListener("input", () => publish(Number(slider.value)));
  publish(Number(slider.value));
})();
