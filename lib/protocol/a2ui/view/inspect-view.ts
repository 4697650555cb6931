import { isObject, type JsonValue } from '../../json';
import { MAX_A2UI_DEPTH } from '../../limits';
import { overlaps, type Path, readPath } from '../messages/pointer';
import type { Surface } from '../messages/surface';
import type { ViewNode } from './surface-view';

/** Returns the components directly within a component. */
function childrenOf(node: ViewNode): ViewNode[] {
  if ('children' in node) return node.children;
  if (node.kind === 'tabs') return node.tabs.flatMap(({ child }) => child ?? []);
  if (node.kind === 'modal') return [node.trigger, node.content].filter((child) => child !== null);
  return node.kind === 'card' || node.kind === 'button' ? [node.child].filter((child) => child !== null) : [];
}

/** Returns a component and all those within it, each before those within it. */
export function allNodes(node: ViewNode): ViewNode[] {
  return [node, ...childrenOf(node).flatMap(allNodes)];
}

/** Returns all text within a component, on one line. */
export function textWithin(node: ViewNode | null): string {
  if (!node) return '';
  const texts = allNodes(node).flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  return texts
    .join(' ')
    .replace(/[*_`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the name of the first icon within a component; null if there is none. */
export function iconWithin(node: ViewNode | null): string | null {
  const icon = node && allNodes(node).find((one) => one.kind === 'icon');
  return icon?.kind === 'icon' ? icon.icon : null;
}

/** Returns the number of pictures that are on another host. */
export function imagesIn(root: ViewNode): number {
  return allNodes(root).filter((node) => node.kind === 'image' && node.url.startsWith('https:')).length;
}

/**
 * Returns the number of checks that fail before a button may be pressed: its own, and those of the controls whose values
 * it sends.
 */
export function faultsBefore(
  root: ViewNode,
  button: ViewNode & { kind: 'button' },
  components: Surface['components'],
): number {
  const action = components.get(button.id)?.props.action;
  const event = isObject(action) ? action.event : undefined;
  const sent = isObject(event) ? pathsIn(event.context, button.base, 0) : [];
  const faulty = allNodes(root).filter(
    (node) => 'fault' in node && node.fault !== null && sent.some((path) => node.path && overlaps(path, node.path)),
  );
  return faulty.length + button.faults.length;
}

function pathsIn(value: JsonValue | undefined, base: Path, depth: number): Path[] {
  if (depth > MAX_A2UI_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, base, depth + 1));
  if (!isObject(value)) return [];
  const path = typeof value.path === 'string' ? readPath(value.path, base) : null;
  return path ? [path] : Object.values(value).flatMap((member) => pathsIn(member, base, depth + 1));
}
