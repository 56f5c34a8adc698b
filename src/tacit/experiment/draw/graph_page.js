(() => {
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const main = document.querySelector("main");
  const graph = dependencyGraph(document.getElementById("graph"), main, (text) => put("pointed", text));
  const slider = document.getElementById("k");

  function publish(k) {
    const effect = graph.publish(Array.from({ length: k }, (_, n) => n + 1));
    put("count", `${k} of ${graph.total}`);
    put("effect", effect);
    put("newest", k ? `Edge ${k}: ${graph.describe(k)}` : "Nothing is published.");
  }

  slider.addEventListener("input", () => publish(Number(slider.value)));
  publish(Number(slider.value));
})();
