"use strict";
// The curves: one chart per domain, lines that can be hidden, a cross-hair to read values, and zoom.
(() => {
  const data = JSON.parse(document.getElementById("panels").textContent);
  const solver = document.getElementById("solver"), measure = document.getElementById("measure");
  const legend = document.getElementById("legend"), place = document.getElementById("charts"), front = document.getElementById("front");
  const hidden = new Set();
  // The style sheet chooses between the two colours of a line, so that print is light on every screen.
  const paint = (node, name) => {
    node.classList.add("hue");
    ["light", "dark"].forEach((scheme) => node.style.setProperty(`--${scheme}`, data.styles[name][scheme]));
    return node;
  };
  const dash = (name) => data.styles[name].dash.map((part) => part * 2).join(" ");
  const REFERENCES = ["hindsight", "best found", "lower bound"];
  const X = { "coverage/known": "edges known of an agent", "coverage/bits": "bits learned of an agent" };
  const Y = { coverage: "problems solved", cost: "cost ÷ best cost", time: "CPU seconds" };
  const M = { left: 54, right: 14, top: 10, bottom: 36 }, APART = 2.4;
  // Markers as in the figures for papers, around the origin.
  const MARKERS = {
    o: "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z", s: "M-3 -3H3V3H-3Z", D: "M0 -4L4 0L0 4L-4 0Z",
    "^": "M0 -4L3.8 3H-3.8Z", v: "M0 4L3.8 -3H-3.8Z", "<": "M-4 0L3 -3.8V3.8Z", ">": "M4 0L-3 -3.8V3.8Z",
    x: "M-3 -3L3 3M-3 3L3 -3", P: "M-4 0H4M0 -4V4", "*": "M-4 0H4M-2 -3.4L2 3.4M-2 3.4L2 -3.4",
  };

  function make(name, attributes, parent, text) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  }
  function element(name, className, parent, text) {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  }

  // Numbers at which an axis has a tick.
  function ticks(low, high, most, whole) {
    const rough = (high - low) / most || 1, power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    if (whole) step = Math.max(1, step);
    const found = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) found.push(n * step);
    return found;
  }
  function logTicks(low, high) {
    const found = [];
    for (let power = low; power <= high; power += 1) found.push(power);
    return found;
  }
  const show = (value) => {
    const size = Math.abs(value);
    if (size && size < 0.01) return value.toExponential(0);
    return String(size >= 1000 ? Math.round(value) : Number(value.toPrecision(3)));
  };

  function indexAt(line, x) {
    let low = 0, high = line.x.length;
    while (low < high) { const mid = (low + high) >> 1; if (line.x[mid] <= x + 1e-9) low = mid + 1; else high = mid; }
    return low - 1;
  }

  class Chart {
    constructor(panel, key) {
      this.lines = panel.lines[key] || [];
      this.panel = panel;
      this.shown = key;
      this.percent = key.endsWith("percent");
      this.log = key.startsWith("time");
      this.coverage = key.startsWith("coverage");
      this.end = this.percent ? 100 : Math.max(1, ...this.lines.flatMap((line) => line.x));
      this.home = key === "coverage/edges" ? Math.max(1, panel.until) : this.end;
      this.from = 0;
      this.to = this.home;
      this.at = null;
      this.height = panel.all ? 320 : 220;
      this.figure = element("figure", "chart", panel.all ? front : place);
      const caption = element("figcaption", "", this.figure);
      element("span", "", caption, panel.domain);
      this.reset = element("button", "", caption);
      this.reset.type = "button";
      this.reset.addEventListener("click", () => this.zoom(0, this.isHome() ? this.end : this.home));
      this.svg = make("svg", { tabindex: 0, role: "img", "aria-label": `${panel.domain}: ${measure.selectedOptions[0].text}. Arrow keys read off values.` }, this.figure);
      this.read = element("p", "read", this.figure);
      this.read.setAttribute("aria-live", "polite");
      this.listen();
      this.draw();
      new ResizeObserver(() => { if (Math.max(120, this.svg.clientWidth) !== this.width) this.draw(); }).observe(this.svg);
    }

    isHome() { return this.from === 0 && this.to === this.home; }

    visible() { return this.lines.filter((line) => !hidden.has(line.name)); }

    // Reference lines are drawn below those of rankings.
    drawn() { return this.visible().sort((a, b) => REFERENCES.includes(b.name) - REFERENCES.includes(a.name)); }

    scale() {
      const width = Math.max(120, this.svg.clientWidth);
      this.width = width;
      const right = width - M.right, bottom = this.height - M.bottom;
      this.px = (x) => M.left + (x - this.from) / (this.to - this.from) * (right - M.left);
      this.back = (px) => this.from + (px - M.left) / (right - M.left) * (this.to - this.from);
      let low = 0, high = this.panel.problems * 1.05;
      if (!this.coverage) {
        const values = this.visible().flatMap((line) => {
          const first = Math.max(0, indexAt(line, this.from)), last = indexAt(line, this.to);
          return [...line.y.slice(first, last + 1), ...(line.high || []).slice(first, last + 1), ...(line.low || []).slice(first, last + 1)];
        });
        low = values.length ? Math.min(...values) : 1;
        high = values.length ? Math.max(...values) : 2;
        if (this.log) { low = Math.floor(Math.log10(low)); high = Math.max(low + 1, Math.ceil(Math.log10(high))); } else {
          low = Math.min(low, 1);
          high = Math.max(high + (high - low) * 0.06, low + 0.05);
        }
      }
      this.ys = [low, high];
      this.py = (y) => bottom - ((this.log ? Math.log10(y) : y) - low) / (high - low) * (bottom - M.top);
    }

    draw() {
      this.scale();
      this.reset.hidden = this.isHome() && this.home === this.end;
      const isAll = this.from === 0 && this.to === this.end;
      this.reset.textContent = this.isHome() ? `up to ${show(this.end)}` : isAll ? `up to ${show(this.home)}` : "zoom out";
      const bottom = this.height - M.bottom, right = this.width - M.right, svg = this.svg;
      svg.replaceChildren();
      svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      const clip = `clip-${Chart.count = (Chart.count || 0) + 1}`;
      const box = make("clipPath", { id: clip }, make("defs", {}, svg));
      make("rect", { x: M.left, y: M.top - 4, width: right - M.left, height: bottom - M.top + 8 }, box);
      const marks = this.log ? logTicks(...this.ys).map((power) => 10 ** power) : ticks(...this.ys, 4, this.coverage);
      marks.forEach((y) => {
        make("path", { class: "axis", d: `M${M.left} ${this.py(y)}H${right}` }, svg);
        make("text", { x: M.left - 6, y: this.py(y) + 4, "text-anchor": "end" }, svg, show(y));
      });
      ticks(this.from, this.to, Math.max(2, Math.floor(this.width / 56)), !this.percent).forEach((x) => {
        make("path", { class: "axis", d: `M${this.px(x)} ${bottom}v4` }, svg);
        make("text", { x: this.px(x), y: bottom + 15, "text-anchor": "middle" }, svg, show(x));
      });
      make("text", { class: "name", transform: `translate(13 ${(M.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, svg, Y[this.shown.split("/")[0]]);
      make("text", { class: "name", x: (M.left + right) / 2, y: this.height - 4, "text-anchor": "middle" }, svg, this.percent ? "disclosed, % of own maximum" : X[this.shown] || "edges disclosed per agent");
      const group = make("g", { "clip-path": `url(#${clip})` }, svg);
      this.visible().forEach((line) => {
        if (line.low) paint(make("path", { class: "band", d: this.band(line) }, group), line.name);
      });
      const shift = this.shifts();
      this.drawn().forEach((line, place) => {
        const own = make("g", { transform: `translate(0 ${shift.get(line.name)})` }, group);
        paint(make("path", { class: "line", "data-name": line.name, d: this.steps(line.x, line.y), "stroke-dasharray": dash(line.name) }, own), line.name);
        this.markers(line, place, own);
      });
      if (!this.lines.length) make("text", { x: this.width / 2, y: this.height / 2, "text-anchor": "middle" }, svg, "nothing was solved");
      this.cross = make("path", { class: "cross", d: "" }, svg);
      this.area = make("rect", { class: "drag", y: M.top, height: bottom - M.top, width: 0 }, svg);
      this.point(this.at);
    }

    // Lines that coincide at their end are drawn beside each other.
    shifts() {
      const found = new Map(), alike = new Map();
      this.drawn().forEach((line) => {
        const end = line.y[Math.max(0, indexAt(line, this.to))], group = alike.get(end) || [];
        alike.set(end, [...group, line.name]);
      });
      alike.forEach((names) => names.forEach((name, n) => found.set(name, ((names.length - 1) / 2 - n) * APART)));
      return found;
    }

    // A few on each line, at other places than those of the others.
    markers(line, place, parent) {
      const d = MARKERS[data.styles[line.name].marker];
      if (!d) return;
      const count = this.panel.all ? 7 : 4, gap = (this.to - this.from) / count;
      for (let n = 0; n < count; n += 1) {
        const x = this.from + (n + 0.25 + 0.09 * (place % 8)) * gap, at = indexAt(line, x);
        if (at >= 0) paint(make("path", { class: "marker", d, transform: `translate(${this.px(x).toFixed(1)} ${this.py(line.y[at]).toFixed(1)})` }, parent), line.name);
      }
    }

    steps(xs, ys) {
      let d = `M${this.px(xs[0]).toFixed(1)} ${this.py(ys[0]).toFixed(1)}`;
      for (let n = 1; n < xs.length; n += 1) d += `H${this.px(xs[n]).toFixed(1)}V${this.py(ys[n]).toFixed(1)}`;
      return `${d}H${this.px(Math.max(this.end, xs[xs.length - 1])).toFixed(1)}`;
    }

    band(line) {
      const end = this.px(this.end).toFixed(1);
      let back = "";
      for (let n = line.x.length - 1; n >= 0; n -= 1) back += `V${this.py(line.low[n]).toFixed(1)}H${this.px(line.x[n]).toFixed(1)}`;
      return `${this.steps(line.x, line.high)}H${end}${back}Z`;
    }

    point(x) {
      this.at = x;
      this.read.replaceChildren();
      if (x === null) { this.cross.setAttribute("d", ""); return; }
      this.cross.setAttribute("d", `M${this.px(x)} ${M.top}V${this.height - M.bottom}`);
      element("span", "", this.read, this.percent ? `${show(x)} %:` : `${show(x)} ${this.shown.endsWith("bits") ? "bits" : "edges"}:`);
      this.visible().forEach((line) => {
        const n = indexAt(line, x);
        const item = element("span", "", this.read);
        paint(element("i", "", item), line.name);
        const range = n >= 0 && line.low && line.low[n] !== line.high[n] ? ` (${show(line.low[n])}–${show(line.high[n])})` : "";
        item.append(`${line.name} ${n < 0 ? "–" : show(line.y[n]) + range}`);
      });
    }

    zoom(from, to) {
      const least = this.percent ? 1 : Math.min(2, this.end);
      if (to - from < least) to = from + least;
      this.from = Math.max(0, Math.min(from, this.end - least));
      this.to = Math.min(this.end, to);
      this.draw();
    }

    listen() {
      let start = null;
      const where = (event) => {
        const px = event.clientX - this.svg.getBoundingClientRect().left;
        return Math.min(this.to, Math.max(this.from, this.back(px)));
      };
      this.svg.addEventListener("pointerdown", (event) => { if (event.button === 0) start = where(event); });
      this.svg.addEventListener("pointermove", (event) => {
        const x = where(event);
        this.point(this.percent ? x : Math.round(x));
        if (start !== null) {
          const ends = [this.px(start), this.px(x)].sort((a, b) => a - b);
          this.area.setAttribute("x", ends[0]);
          this.area.setAttribute("width", ends[1] - ends[0]);
        }
      });
      this.svg.addEventListener("pointerup", (event) => {
        if (start === null) return;
        const ends = [start, where(event)].sort((a, b) => a - b);
        start = null;
        if (this.px(ends[1]) - this.px(ends[0]) > 8) this.zoom(...ends); else this.area.setAttribute("width", 0);
      });
      ["pointerleave", "pointercancel"].forEach((name) => this.svg.addEventListener(name, () => {
        start = null;
        this.area.setAttribute("width", 0);
        this.point(null);
      }));
      this.svg.addEventListener("dblclick", () => this.zoom(0, this.home));
      this.svg.addEventListener("blur", () => this.point(null));
      this.svg.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      const span = this.to - this.from, middle = this.at ?? (this.from + this.to) / 2;
      const step = this.percent ? span / 100 : Math.max(1, Math.round(span / 100));
      const actions = {
        ArrowLeft: () => this.point(Math.max(this.from, (this.at ?? this.from) - step)),
        ArrowRight: () => this.point(Math.min(this.to, (this.at ?? this.from - step) + step)),
        "+": () => this.zoom(middle - span / 4, middle + span / 4),
        "-": () => this.zoom(middle - span, middle + span),
        0: () => this.zoom(0, this.home),
        Escape: () => this.zoom(0, this.home),
      };
      const action = actions[event.key === "=" ? "+" : event.key];
      if (action && !event.ctrlKey && !event.metaKey) { event.preventDefault(); action(); }
    }
  }

  const KNOWN = " Here x is what all others together know of the agent of which they know most: edges that it disclosed or that the strongest attack guessed right, or bits learned of its graph; a problem counts from the least of its solved runs on.";
  const MEANING = {
    coverage: "How many problems are solved. A ranking with several seeds is their mean, with a band from the least to the most. Hindsight counts problems for which some plan used at most that many edges: no ranking can do better with the plans that were found.",
    cost: "Cost of the plan ÷ best cost known for that problem, mean over the problems solved at that disclosure. Lines may rise where harder problems are added.",
    time: "CPU time of the run with loading, geometric mean over the problems solved at that disclosure, on a logarithmic scale.",
  };
  const BOUNDS = " Two lines are of the minimum, computed from all secrets: no ranking rises above the lower bound, and best found counts the problems for which some choice of at most that many edges is known to suffice.";
  let charts = [];

  function drawLegend(names) {
    legend.replaceChildren();
    names.forEach((name) => {
      const button = element("button", "", legend);
      button.type = "button";
      button.dataset.name = name;
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      const sample = make("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" }, button);
      paint(make("path", { d: "M0 5H26", "stroke-width": 2.4, "stroke-dasharray": dash(name) }, sample), name);
      const mark = MARKERS[data.styles[name].marker];
      if (mark) paint(make("path", { class: "marker", d: mark, transform: "translate(13 5)" }, sample), name);
      button.append(name);
      button.addEventListener("click", () => {
        if (!hidden.delete(name)) hidden.add(name);
        button.setAttribute("aria-pressed", String(!hidden.has(name)));
        charts.forEach((chart) => chart.draw());
      });
    });
  }

  function build() {
    const key = measure.value;
    place.replaceChildren();
    front.replaceChildren();
    const shown = data.panels.filter((panel) => panel.solver === solver.value);
    charts = shown.map((panel) => new Chart(panel, key));
    const there = new Set(shown.flatMap((panel) => (panel.lines[key] || []).map((line) => line.name)));
    drawLegend(Object.keys(data.styles).filter((name) => there.has(name)));
    const bounded = there.has("lower bound") || there.has("best found");
    document.getElementById("meaning").textContent = MEANING[key.split("/")[0]] + (bounded ? BOUNDS : "") + (key in X ? KNOWN : "");
  }
  solver.addEventListener("change", build);
  measure.addEventListener("change", build);
  build();
})();
