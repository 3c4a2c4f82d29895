// On paper the whole drawing is on the sheet, whatever was in sight.
import { byId } from "./element";
import type { Stage } from "./stage";

export function preparePrinting(stage: Stage): void {
  const root = byId<SVGSVGElement>("tree");
  const view = byId<SVGGElement>("view");
  let transform: string | null = null;
  addEventListener("beforeprint", () => {
    const { left, right, top, bottom } = stage.box;
    transform = view.getAttribute("transform");
    view.removeAttribute("transform");
    root.classList.remove("far", "tiny");
    root.setAttribute("viewBox", `${left - 8} ${top - 8} ${right - left + 16} ${bottom - top + 16}`);
  });
  addEventListener("afterprint", () => {
    root.removeAttribute("viewBox");
    if (transform !== null) view.setAttribute("transform", transform);
    stage.scaleBy(1);
  });
}
