/**
 * A controller that aborts when `parent` does. Where thousands of streams wait side by side it stands in for
 * `AbortSignal.any`, which keeps several objects more for each.
 */
export function controllerUnder(parent: AbortSignal): AbortController {
  const controller = new AbortController();
  if (parent.aborted) controller.abort(parent.reason);
  else parent.addEventListener('abort', () => controller.abort(parent.reason), { once: true });
  return controller;
}
