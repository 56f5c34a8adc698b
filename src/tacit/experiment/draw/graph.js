"use strict";
// A dependency graph that is in the page: what is published, and what is pointed at. `host` takes the
// keys, `say(text)` is told what is pointed at. Returns `publish(places)`, which draws the edges at these
// places (1, 2, … as in `data-place`) as published and says what that comes to, and `describe(place)`.
function dependencyGraph(svg, host, say) {
  const kinds = ["giver", "token", "action", "fact"];
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

  function publish(places) {
    const told = new Set(places), given = new Set();
    const parent = edges.length ? edges[0].parentNode : null;
    edges.forEach((edge) => {
      const place = Number(edge.dataset.place), is = place === 0 || told.has(place);
      edge.classList.toggle("told", is);
      if (is && !edge.classList.contains("threat")) given.add(Number(edge.dataset.b));
    });
    edges.filter((edge) => edge.classList.contains("told")).forEach((edge) => parent.append(edge)); // on top
    rows[1].forEach((node, n) => node.classList.toggle("on", given.has(n)));
    let enabled = 0;
    rows[2].forEach((node, n) => {
      const on = needs[n].every((token) => given.has(token));
      node.classList.toggle("on", on);
      enabled += on;
    });
    svg.style.setProperty("--told", Math.max(0.8, Math.min(2, 14 / Math.sqrt(told.size + 1))));
    return `${given.size} of ${rows[1].length} tokens given, ${enabled} of ${rows[2].length} actions enabled`;
  }

  function describe(place) {
    const edge = ranked.get(place);
    const verb = edge.classList.contains("threat") ? "ends" : "gives";
    return `${plainName(rows[0][edge.dataset.a])} ${verb} ${plainName(rows[1][edge.dataset.b])}`;
  }

  let here = null;
  function look(node) {
    svg.querySelectorAll(".near, .here").forEach((item) => item.classList.remove("near", "here"));
    svg.classList.toggle("looking", Boolean(node));
    here = node;
    if (!node) { say(""); return; }
    node.classList.add("here");
    around.get(node).forEach(([line, other]) => { line.classList.add("near"); other.classList.add("near"); });
    say(nameOf(node));
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
  host.onkeydown = (event) => {
    if (event.key === "Escape") look(null);
    else if (/^Arrow(Up|Down|Left|Right)$/.test(event.key)) { event.preventDefault(); step(event.key); }
  };
  return { total: ranked.size, publish, describe };
}
