"use strict";
// The page of a problem: a slider over the budgets that were tried, and the run at each of them.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const slider = by("k"), series = by("series"), agent = by("agent");
  const UNEXPLAINED = ["crash", "invalid plan", "undecided"];
  let graph = null;

  function element(name, className, parent, text) {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  }
  const kind = (run) => (run.outcome === "solved" ? "solved" : UNEXPLAINED.includes(run.outcome) ? "odd" : "");
  const current = () => data.series[series.value];
  const number = (value) => value.toLocaleString("en");

  function choose() {
    const { runs } = current(), before = Number(slider.dataset.k);
    slider.max = Math.max(0, runs.length - 1);
    slider.disabled = runs.length < 2;
    const last = runs.findLastIndex((run) => run.k <= before);
    const first = runs.findIndex((run) => run.outcome === "solved");
    slider.value = slider.dataset.k === undefined ? Math.max(0, first) : Math.max(0, last);
    by("marks").replaceChildren(...runs.map((run, n) => {
      const mark = document.createElement("i");
      mark.className = kind(run);
      mark.style.left = `${runs.length > 1 ? 100 * n / (runs.length - 1) : 0}%`;
      mark.title = `k = ${run.k}: ${run.outcome}`;
      return mark;
    }));
    move();
  }

  function move() {
    const run = current().runs[slider.value];
    if (!run) { by("verdict").textContent = "No k was tried here."; return; }
    slider.dataset.k = run.k;
    slider.setAttribute("aria-valuetext", `k = ${run.k}, ${run.outcome}`);
    by("k-is").textContent = `k = ${number(run.k)} of ${number(data.largest)}`;
    [...by("marks").children].forEach((mark, n) => mark.classList.toggle("now", n === Number(slider.value)));
    showVerdict(run);
    showDisclosure(run);
    showPlan(run);
    showEdges(run);
  }

  function showVerdict(run) {
    const verdict = by("verdict");
    verdict.replaceChildren();
    element("b", kind(run), verdict, run.outcome);
    const facts = [];
    if (run.cost !== null) facts.push(`cost ${number(run.cost)}`, `${number(run.length)} steps`, `makespan ${number(run.makespan)}`);
    if (run.made === "replanned") facts.push("made by replanning, which discloses more than k");
    else if (run.made === "unknown") facts.push("strict or replanned: not recorded");
    if (run.settled !== null) facts.push(`the run at k = ${run.settled} proved it`);
    else if (run.seconds !== null) facts.push(`${run.seconds.toPrecision(2)} s CPU`);
    if (run.optimal) facts.push("proved to be the cheapest on its ledger");
    if (run.changed) facts.push("by forward search, where the projection made no progress");
    if (run.taken !== null) facts.push(`the plan of k = ${run.taken}, taken over`);
    if (run.detail) facts.push(run.detail);
    verdict.append(facts.map((fact) => ` · ${fact}`).join(""));
  }

  function showDisclosure(run) {
    const rows = Object.entries(data.dependencies).map(([name, total]) => {
      const disclosed = run.disclosed[name] ?? 0, repairs = run.repairs[name] || 0, used = run.used[name] || 0;
      const row = element("div", "agent");
      element("b", "", row, name);
      const bar = element("div", "bar", row), most = Math.max(total, disclosed, 1);
      element("i", "used", bar).style.width = `${100 * used / most}%`;
      element("i", "", bar).style.width = `${100 * Math.max(0, disclosed - used) / most}%`;
      const parts = [name in run.disclosed ? `${number(disclosed)} of ${number(total)} edges disclosed` : `${number(total)} edges; what was disclosed is not recorded`];
      if (run.outcome === "solved") parts.push(`${number(used)} used`);
      if (repairs) parts.push(`${number(repairs)} repairs besides`);
      if (run.replanned[name]) parts.push(`${number(run.replanned[name])} public steps replanned`);
      if (name in run.price) parts.push(`price ${number(run.price[name])}`);
      element("span", "", row, parts.join(", "));
      return row;
    });
    by("disclosed").replaceChildren(...rows);
    by("known").replaceChildren(...showKnown(run));
  }

  // What all others together know of each agent: disclosed, certain, guessed right, unknown.
  function showKnown(run) {
    const agents = Object.entries(run.leakage || {});
    if (!agents.length) return [];
    const head = document.createElement("h3");
    head.textContent = "Known to all others together";
    return [head, ...agents.map(([name, own]) => {
      const said = run.disclosed[name] ?? 0, certain = Math.min(own.certain, own.guessed_right);
      const total = Math.max(1, data.dependencies[name] || 0, said + own.guessed_right);
      const row = element("div", "agent");
      element("b", "", row, name);
      const bar = element("div", "bar", row);
      const parts = [["said", said], ["certain", certain], ["guessed", own.guessed_right - certain]];
      parts.forEach(([kind, count]) => { element("i", kind, bar).style.width = `${100 * count / total}%`; });
      const unknown = Math.max(0, total - said - own.guessed_right), wrong = own.guessed - own.guessed_right;
      element("span", "", row, `${number(said)} disclosed, ${number(own.certain)} certain, ${number(own.guessed_right)} guessed`
        + `${wrong ? ` (and ${number(wrong)} wrong)` : ""}, ${number(unknown)} unknown; ${own.bits_b.toFixed(1)} of ${own.bits_b_all.toFixed(1)} bits`);
      return row;
    })];
  }

  function showPlan(run) {
    const place = by("plan");
    place.replaceChildren();
    if (run.plan === null) {
      element("p", "", place, run.outcome === "solved" ? "There is a plan, but the store does not have it." : "There is no plan at this k.");
      return;
    }
    const { span, steps } = data.plans[run.plan];
    const names = [...new Set([...data.agents, ...steps.map((step) => step[1])])].filter((name) => steps.some((step) => step[1] === name));
    const grid = element("div", "lanes", place);
    grid.style.gridTemplateColumns = `minmax(90px, max-content) repeat(${span}, minmax(72px, auto))`;
    const put = (node, row, column) => { node.style.gridRow = row; node.style.gridColumn = column; };
    put(element("div", "who time", grid, "time"), 1, 1);
    for (let n = 1; n <= span; n += 1) put(element("div", "time", grid, String(n)), 1, n + 1);
    names.forEach((name, lane) => {
      put(element("div", "who", grid, name || "plan"), lane + 2, 1);
      put(element("div", "rule", grid), lane + 2, `2 / ${span + 2}`);
    });
    steps.forEach(([start, name, text]) => {
      const words = text.replace(/^\(|\)$/g, "").split(" "), box = element("div", "step", grid);
      box.title = text;
      element("b", "", box, words[0]);
      element("small", "", box, words.slice(1).filter((word) => word !== name).join(" "));
      put(box, names.indexOf(name) + 2, start + 2);
    });
  }

  function open() {
    const place = by("graph-place"), template = [...document.querySelectorAll("template")].find((t) => t.dataset.agent === agent.value);
    graph = null;
    place.replaceChildren();
    if (!template) {
      element("p", "", place, data.drawn.length ? "This graph is too large for a page; tacit inspect --graph draws it." : "There is no graph to draw.");
      return;
    }
    place.append(template.content.cloneNode(true));
    graph = dependencyGraph(place.querySelector("svg"), place, (text) => { by("pointed").textContent = text; });
  }

  function showEdges(run) {
    const order = (data.orders[current().order] || {})[agent.value];
    if (!graph) { by("effect").textContent = ""; return; }
    if (current().order === null) { graph.disclose([]); by("effect").textContent = "An online run has an order of its own, so no edge is drawn as disclosed."; return; }
    if (!order) { graph.disclose([]); by("effect").textContent = "The order of this ranking is not known here, so no edge is drawn as disclosed."; return; }
    const disclosed = order.slice(0, run.disclosed[agent.value] ?? run.k), effect = graph.disclose(disclosed);
    const newest = disclosed.length ? ` Edge ${disclosed.length}: ${graph.describe(disclosed[disclosed.length - 1])}.` : "";
    by("effect").textContent = `${disclosed.length} of ${order.length} edges disclosed: ${effect}.${newest}`;
  }

  slider.addEventListener("input", move);
  series.addEventListener("change", choose);
  agent.addEventListener("change", () => { open(); move(); });
  open();
  choose();
})();
