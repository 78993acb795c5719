// What a page does in the browser: explorers show the frame that their controls choose.

"use strict";

// All frames of an explorer are in its script, compressed, in the order in which its controls count: the last one fastest.
async function follow(explorer) {
  const [picture, printed, packed] = ["img", "pre", "script"].map((name) => explorer.querySelector(name));
  const controls = [...explorer.querySelectorAll("input, select")];
  const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt());
  const frames = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const show = () => {
    let number = 0;
    for (const control of controls) {
      if (control.type === "checkbox") number = 2 * number + control.checked;
      else if (control.type === "range") {
        const value = JSON.parse(control.dataset.values)[control.value];
        control.setAttribute("aria-valuetext", value);
        control.nextElementSibling.value = value;
        number = (Number(control.max) + 1) * number + Number(control.value);
      } else number = control.length * number + control.selectedIndex;
    }
    const { svg, words, text } = frames[number];
    picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    picture.alt = words;
    printed.textContent = text;
  };
  explorer.addEventListener("input", show);
  show(); // a browser that goes back to a page may have moved its controls
}

document.querySelectorAll(".explorer").forEach(follow);

// Whatever scrolls sideways must also be reachable by keyboard.
new ResizeObserver(() => {
  for (const part of document.querySelectorAll("article pre, article .table-wrapper, .figure")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}).observe(document.querySelector("article"));
