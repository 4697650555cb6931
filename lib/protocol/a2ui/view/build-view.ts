import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_DEPTH, MAX_A2UI_ITEMS, MAX_A2UI_LABEL_LENGTH, MAX_A2UI_NODES } from '../../limits';
import { readPath, valueAt } from '../messages/pointer';
import type { Component, Surface } from '../messages/surface';
import { Budget } from '../values/budget';
import { type Scope, textOf } from '../values/evaluate';
import { readContent } from './read-content';
import type { Children, ViewNode } from './surface-view';

type Place = Pick<Scope, 'locale' | 'timeZone'>;

/** What is displayed of a surface. */
export interface SurfaceView {
  /** Null if the top component has not arrived. */
  root: ViewNode | null;
  /** True if something is not displayed because of a limit or a cycle. */
  isCut: boolean;
}

/**
 * Returns the components of a surface as a tree with their values. `data` is the surface's data with what the person
 * entered. A component within itself ends the branch, and so do the limits of depth, of number, and of what is evaluated.
 */
export function buildView(surface: Pick<Surface, 'root' | 'components'>, data: JsonValue, place: Place): SurfaceView {
  if (!surface.components.has(surface.root)) return { root: null, isCut: false };
  const builder = new Builder(surface.components);
  const budget = new Budget();
  const root = builder.node(surface.root, { data, base: [], index: null, budget, ...place }, { above: [], slot: '' });
  return { root, isCut: builder.isCut || budget.isSpent };
}

interface Position {
  /** The ids of the components that contain this one. */
  above: readonly string[];
  /** Where it is in the last of them. */
  slot: string;
}

class Builder {
  isCut = false;
  private count = 0;

  constructor(private readonly components: ReadonlyMap<string, Component>) {}

  node(id: string, scope: Scope, { above, slot }: Position): ViewNode {
    const common = { key: `${slot}/${id}`, id, base: scope.base, index: scope.index, weight: null, accessibleName: '' };
    const component = this.components.get(id);
    if (!component) return { ...common, kind: 'missing' };
    this.count += 1;
    const isBeyond = above.length >= MAX_A2UI_DEPTH || this.count > MAX_A2UI_NODES || scope.budget.isSpent;
    if (isBeyond || above.includes(id)) {
      this.isCut = true;
      return { ...common, kind: 'cut' };
    }
    const { props } = component;
    const { weight, accessibility } = props;
    const label = isObject(accessibility) ? textOf(accessibility.label, scope) : '';
    return {
      ...common,
      weight: typeof weight === 'number' && weight > 0 ? Math.min(weight, 100) : null,
      accessibleName: label.slice(0, MAX_A2UI_LABEL_LENGTH),
      ...readContent(component, scope, this.childrenOf([...above, id], scope)),
    };
  }

  private childrenOf(above: readonly string[], scope: Scope): Children {
    return {
      one: (id, slot) => (typeof id === 'string' ? this.node(id, scope, { above, slot }) : null),
      many: (children) => {
        if (isObject(children)) return this.fromTemplate(children, scope, above);
        if (!Array.isArray(children)) return [];
        return this.limited(children, (id, index) =>
          typeof id === 'string' ? this.node(id, scope, { above, slot: `#${index}` }) : null,
        );
      },
    };
  }

  /** One child for each element of a list in the data; in 0.8, also for each member of an object. */
  private fromTemplate(template: JsonObject, scope: Scope, above: readonly string[]): ViewNode[] {
    const { componentId, path } = template;
    const listPath = typeof path === 'string' ? readPath(path, scope.base) : null;
    if (typeof componentId !== 'string' || listPath === null) return [];
    const keys = keysOf(valueAt(scope.data, listPath));
    scope.budget.items(keys.length);
    return this.limited(keys, (key, index) =>
      this.node(componentId, { ...scope, base: [...listPath, key], index }, { above, slot: `#${index}` }),
    );
  }

  /** Builds one component for each item, until there are too many. */
  private limited<Item>(items: readonly Item[], build: (item: Item, index: number) => ViewNode | null): ViewNode[] {
    const nodes: ViewNode[] = [];
    for (const [index, item] of items.entries()) {
      if (this.count >= MAX_A2UI_NODES) {
        this.isCut = true;
        break;
      }
      const node = build(item, index);
      if (node) nodes.push(node);
    }
    return nodes;
  }
}

function keysOf(list: JsonValue | undefined): string[] {
  if (Array.isArray(list)) return list.slice(0, MAX_A2UI_ITEMS).map((_, index) => String(index));
  return isObject(list) ? Object.keys(list) : [];
}
