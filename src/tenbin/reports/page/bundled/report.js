"use strict";
(async () => {
  const base64 = document.getElementById("data").textContent.trim();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const report = await new Response(stream).json();
  const shown = document.createElement("pre");
  const counts = Object.entries(report).map(([key, value]) => [key, Array.isArray(value) ? value.length : typeof value]);
  shown.textContent = JSON.stringify(Object.fromEntries(counts), null, 1);
  document.body.prepend(shown);
  document.body.dataset.ready = "counts";
})();
