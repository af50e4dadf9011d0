(() => {
  const { describe, text } = LIBRARY;
  const found = [];
  const report = (rule, el, detail) => found.push({ rule, element: el ? describe(el) : "html", detail });
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const documentRules = () => {
    const root = document.documentElement;
    if (!root.lang.trim()) report("language", null, "has no lang attribute");
    if (!document.title.trim()) report("title", null, "has no title");
    if (!document.querySelector('meta[name="viewport"]')) report("viewport", null, "has no meta viewport: a phone would show it tiny");
  };

  const ids = () => {
    const seen = new Set();
    for (const el of all("[id]")) {
      if (seen.has(el.id)) report("id", el, `the id ${el.id} is used twice`);
      seen.add(el.id);
    }
  };

  // references to elements that are not there say nothing to a screen reader.
  const references = () => {
    for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const el of all(`[${name}]`)) {
        for (const id of el.getAttribute(name).split(/\s+/).filter(Boolean)) {
          if (!document.getElementById(id)) report("reference", el, `${name} names ${id}, which is not there`);
        }
      }
    }
  };

  const headings = () => {
    let last = 0;
    for (const el of all("h1,h2,h3,h4,h5,h6,[role=heading]").filter(shown)) {
      const level = Number(el.getAttribute("aria-level") ?? el.localName.slice(1));
      if (level > last + 1) report("heading", el, last ? `level ${level} follows level ${last}` : `the first heading has level ${level}`);
      last = level;
    }
  };

  const images = () => {
    for (const el of all("img:not([alt]):not([role=presentation]):not([role=none])")) report("image", el, "has no alt attribute");
    for (const el of all("svg[role=img]:not([aria-label]):not([aria-labelledby])")) {
      if (!el.querySelector("title")?.textContent.trim()) report("image", el, "has no name");
    }
  };

  // A placeholder is no label: it goes away when it is needed.
  const labels = () => {
    for (const el of all("input,select,textarea")) {
      if (["hidden", "submit", "button", "reset", "image"].includes(el.type) || !shown(el)) continue;
      const by = (el.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean).map((id) => document.getElementById(id));
      const words = [...(el.labels ?? []), ...by].map((l) => l?.textContent ?? "").concat(el.ariaLabel ?? "", el.title);
      if (!words.some((w) => w.trim())) report("label", el, "has no label");
    }
  };

  // Colours may be written in many ways; a canvas knows all of them.
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const colour = (css) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const over = (top, below) => {
    const mix = (c) => top[c] * top.a + below[c] * (1 - top.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  };
  const light = (c) => {
    const lin = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * lin(c.r) + 0.7152 * lin(c.g) + 0.0722 * lin(c.b);
  };
  const hex = (c) => "#" + [c.r, c.g, c.b].map((v) => Math.round(v).toString(16).padStart(2, "0")).join("");

  // paper is the colour below everything: white, or what a dark scheme makes of it.
  const paper = () => {
    const probe = document.createElement("span");
    probe.style.color = "Canvas";
    document.documentElement.append(probe);
    const c = colour(getComputedStyle(probe).color);
    probe.remove();
    return c;
  };

  // background returns the colour behind an element, or null where a picture is.
  const background = (el, below) => {
    const layers = [];
    for (let at = el; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null;
      const c = colour(style.backgroundColor);
      layers.push(c);
      if (c.a === 1) break;
    }
    return layers.reduceRight((c, layer) => over(layer, c), below);
  };

  const opacity = (el) => {
    let o = 1;
    for (let at = el; at; at = at.parentElement) o *= Number(getComputedStyle(at).opacity);
    return o;
  };

  // written returns the elements that show text of their own, each with the
  // style that the text has.
  const written = () => {
    const own = (el) => [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const list = [];
    for (const el of all("body, body *")) {
      if (["script", "style", "noscript", "option", "optgroup"].includes(el.localName) || !shown(el)) continue;
      if (el.closest(":disabled, [aria-disabled=true]")) continue;
      const box = el.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1) continue; // for screen readers only
      if (el.matches(":placeholder-shown")) list.push([el, getComputedStyle(el, "::placeholder")]);
      else if (own(el) || (el.value && el.matches("input:not([type=checkbox], [type=radio], [type=range], [type=color]), select, textarea"))) list.push([el, getComputedStyle(el)]);
    }
    return list;
  };

  const contrast = () => {
    const below = paper();
    for (const [el, style] of written()) {
      const back = background(el, below);
      if (!back) continue;
      const ink = colour(style.color);
      const fore = over({ ...ink, a: ink.a * opacity(el) }, back);
      const [dim, bright] = [light(fore), light(back)].sort((x, y) => x - y);
      const ratio = (bright + 0.05) / (dim + 0.05);
      if (ratio < 4.5) report("contrast", el, `${ratio.toFixed(2)}:1 (${hex(fore)} on ${hex(back)}), less than 4.5:1`);
    }
  };

  const problems = () => {
    for (const rule of [documentRules, ids, references, headings, images, labels, contrast]) rule();
    return found;
  };

  // overflows returns what makes the window scroll sideways, or lies cut off
  // beyond its edge: the outermost element of each place.
  const overflows = () => {
    const edge = document.documentElement.clientWidth;
    const root = document.documentElement;
    const right = (boxes) => Math.max(...[...boxes].map((r) => r.right + scrollX), 0);
    // An element that clips or scrolls its content keeps it from the window.
    const kept = (el) => {
      for (let at = el.parentElement; at && at !== document.body && at !== root; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== "visible") return true;
      }
      return false;
    };
    const list = [];
    const wide = new Set();
    const note = (el, what, end) => {
      wide.add(el);
      list.push(`${describe(el)}: ${what} ends at ${Math.round(end)} px, and the window at ${edge}`);
    };
    for (const el of all("body *").filter((el) => shown(el) && !kept(el))) {
      if (wide.has(el.parentElement)) {
        wide.add(el);
        continue;
      }
      const end = right(el.getClientRects());
      if (end > edge + 0.5) {
        note(el, "it", end);
        continue;
      }
      if (getComputedStyle(el).overflowX !== "visible") continue;
      for (const node of el.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const end = right(range.getClientRects());
        if (end > edge + 0.5) note(el, "its text", end);
      }
    }
    const end = root.scrollWidth;
    if (!list.length && end > edge) note(root, "something", end);
    return list;
  };

  return { problems, overflows };
})()
