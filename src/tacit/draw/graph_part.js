document.querySelectorAll(".graph-place").forEach((place) => {
  const pointed = place.parentNode.querySelector(".pointed");
  const start = () => dependencyGraph(place.querySelector("svg"), place, (text) => { pointed.textContent = text; });
  if (place.parentNode.open) start();
  else place.parentNode.addEventListener("toggle", start, { once: true }); // what is hidden has no places yet
});
