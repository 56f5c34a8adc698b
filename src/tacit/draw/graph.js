"use strict";
// A dependency graph in the page: disclosed edges, and the node pointed at. `host` receives the keys,
// `say(text)` the name of the node pointed at. Returns `disclose(places)`, which draws the edges at these
// places (1, 2, … as in `data-place`) as disclosed and returns the effect as text, and `describe(place)`.
function dependencyGraph(svg, host, say) {
  const kinds = ["achiever", "token", "action", "fact"];
  const rows = kinds.map((kind) => [...svg.querySelectorAll(`.node.${kind}`)]);
  const lines = ["edge", "needs", "achieves"].map((kind) => [...svg.querySelectorAll(`.lines .${kind}`)]);
  const edges = lines[0];
  const ranked = new Map(edges.filter((edge) => edge.dataset.place > 0).map((edge) => [Number(edge.dataset.place), edge]));
  const nameOf = (node) => node.querySelector("title").textContent;
  const plainName = (node) => nameOf(node).replace(/: \d+ lines?$/, "");

  // Per node: its lines, and the nodes at their other ends.
  const around = new Map(rows.flat().map((node) => [node, []]));
  lines.forEach((group, row) => group.forEach((line) => {
    const below = rows[row][line.dataset.a], above = rows[row + 1][line.dataset.b];
    around.get(below).push([line, above]);
    around.get(above).push([line, below]);
  }));
  const needs = rows[2].map(() => []);
  lines[1].forEach((line) => needs[line.dataset.b].push(Number(line.dataset.a)));

  function disclose(places) {
    const disclosed = new Set(places), achieved = new Set();
    const parent = edges.length ? edges[0].parentNode : null;
    edges.forEach((edge) => {
      const place = Number(edge.dataset.place), is = place === 0 || disclosed.has(place);
      edge.classList.toggle("disclosed", is);
      if (is && !edge.classList.contains("threat")) achieved.add(Number(edge.dataset.b));
    });
    edges.filter((edge) => edge.classList.contains("disclosed")).forEach((edge) => parent.append(edge)); // on top
    rows[1].forEach((node, n) => node.classList.toggle("on", achieved.has(n)));
    let enabled = 0;
    rows[2].forEach((node, n) => {
      const on = needs[n].every((token) => achieved.has(token));
      node.classList.toggle("on", on);
      enabled += on;
    });
    svg.style.setProperty("--disclosed", Math.max(0.8, Math.min(2, 14 / Math.sqrt(disclosed.size + 1))));
    return `${achieved.size} of ${rows[1].length} tokens achieved, ${enabled} of ${rows[2].length} actions enabled`;
  }

  function describe(place) {
    const edge = ranked.get(place);
    const verb = edge.classList.contains("threat") ? "deletes" : "achieves";
    return `${plainName(rows[0][edge.dataset.a])} ${verb} ${plainName(rows[1][edge.dataset.b])}`;
  }

  let here = null;
  function pointAt(node) {
    svg.querySelectorAll(".near, .here").forEach((item) => item.classList.remove("near", "here"));
    svg.classList.toggle("pointing", Boolean(node));
    here = node;
    if (!node) { say(""); return; }
    node.classList.add("here");
    around.get(node).forEach(([line, other]) => { line.classList.add("near"); other.classList.add("near"); });
    say(nameOf(node));
  }

  const middle = (node) => { const box = node.getBBox(); return box.x + box.width / 2; };
  const inOrder = rows.map((row) => row.slice().sort((a, b) => middle(a) - middle(b)));
  function step(key) {
    if (!here) { pointAt(inOrder[0][0]); return; }
    const row = rows.findIndex((nodes) => nodes.includes(here));
    const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (side) {
      const place = inOrder[row].indexOf(here) + side;
      if (inOrder[row][place]) pointAt(inOrder[row][place]);
      return;
    }
    const next = rows[row + (key === "ArrowUp" ? 1 : -1)];
    if (!next) return;
    const x = middle(here);
    const linked = around.get(here).map(([, other]) => other).filter((other) => next.includes(other));
    const nearest = (linked.length ? linked : next).slice();
    nearest.sort((a, b) => Math.abs(middle(a) - x) - Math.abs(middle(b) - x));
    pointAt(nearest[0]);
  }

  svg.addEventListener("pointerover", (event) => {
    const node = event.target.closest(".node");
    if (node) pointAt(node);
  });
  svg.addEventListener("pointerleave", () => pointAt(null));
  host.onkeydown = (event) => {
    if (event.key === "Escape") pointAt(null);
    else if (/^Arrow(Up|Down|Left|Right)$/.test(event.key)) { event.preventDefault(); step(event.key); }
  };
  return { total: ranked.size, disclose, describe };
}
