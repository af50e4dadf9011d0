(() => {
  const trim = (text) => text.replace(/\s+/g, " ").trim();

  // describe names an element for a person who reads a failure.
  const describe = (el) => {
    const mark = (name) => (el.getAttribute(name) ? `[${name}=${el.getAttribute(name)}]` : "");
    const text = trim(el.getAttribute("aria-label") ?? (el === document.body ? "" : el.textContent));
    const short = text.length > 40 ? text.slice(0, 39) + "…" : text;
    const value = el.type === "radio" || el.type === "checkbox" ? mark("value") : "";
    return el.localName + (el.id ? "#" + el.id : "") + mark("name") + value + (short ? ` "${short}"` : "");
  };

  const text = (el) => trim(el.innerText ?? el.textContent);

  const focused = () => {
    let el = document.activeElement ?? document.body;
    while (el.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    return describe(el);
  };

  // target returns a point at which a click reaches the element.
  const target = (el) => {
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = [...el.getClientRects()].find((r) => r.width > 0 && r.height > 0);
    if (!box) return { x: 0, y: 0, why: `${describe(el)} is not visible` };
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, why: "" };
    let hit = document.elementFromPoint(at.x, at.y);
    while (hit?.shadowRoot?.elementFromPoint(at.x, at.y) && hit !== el) hit = hit.shadowRoot.elementFromPoint(at.x, at.y);
    if (hit !== el && !el.contains(hit)) at.why = `${describe(el)} is covered by ${hit ? describe(hit) : "nothing: it is outside"}`;
    return at;
  };

  const until = (check) =>
    new Promise((done, failed) => {
      const look = () => {
        try {
          check() ? done(true) : setTimeout(look, 10);
        } catch (err) {
          failed(err);
        }
      };
      look();
    });

  return { describe, text, focused, target, until };
})()
