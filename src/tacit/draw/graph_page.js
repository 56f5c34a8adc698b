(() => {
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const main = document.getElementById("place");
  const graph = dependencyGraph(document.getElementById("graph"), main, (text) => put("pointed", text));
  const slider = document.getElementById("k");

  function disclose(k) {
    const effect = graph.disclose(Array.from({ length: k }, (_, n) => n + 1));
    put("count", `${k} of ${graph.total}`);
    put("effect", effect);
    put("newest", k ? `Edge ${k}: ${graph.describe(k)}` : "Nothing is disclosed.");
  }

  slider.addEventListener("input", () => disclose(Number(slider.value)));
  disclose(Number(slider.value));
})();
