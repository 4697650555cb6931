import type { JsonValue } from '../../json';
import { MAX_A2UI_COMPONENTS, MAX_A2UI_SIZE, MAX_A2UI_SURFACES, MAX_A2UI_WRITES } from '../../limits';
import { withValueAt } from './pointer';
import type { Component, Operation, Surface } from './surface';

/** Surfaces by id. */
export type Surfaces = ReadonlyMap<string, Surface>;

/**
 * Applies one message. A message for a surface that does not exist or was deleted changes nothing, and neither does the
 * creation of one that exists. What exceeds a limit is ignored, and the surface is marked as cut.
 */
export function applyOperation(surfaces: Surfaces, operation: Operation): Surfaces {
  const { surfaceId, version } = operation;
  const known = surfaces.get(surfaceId);
  const active = known && !known.isDeleted ? known : undefined;
  if (operation.kind === 'create') return applyCreation(surfaces, operation, active);
  // Before `beginRendering`, a surface of 0.8 exists without being shown.
  const surface = active ?? (version === '0.8' && operation.kind !== 'delete' ? emptySurface(surfaceId) : undefined);
  if (!surface || (!known && surfaces.size >= MAX_A2UI_SURFACES)) return surfaces;
  const next = applyTo(surface, operation);
  return next === known ? surfaces : new Map([...surfaces, [surfaceId, next]]);
}

function applyCreation(
  surfaces: Surfaces,
  operation: Operation & { kind: 'create' },
  active: Surface | undefined,
): Surfaces {
  const { surfaceId: id, version, wireVersion, root, sendsData, components, data } = operation;
  if (active?.isShown || (!surfaces.has(id) && surfaces.size >= MAX_A2UI_SURFACES)) return surfaces;
  const created = { ...(active ?? emptySurface(id)), version, wireVersion, root, sendsData, isShown: true };
  const withData = Object.keys(data).length === 0 ? created : withWrite(created, [], data);
  return new Map([...surfaces, [id, withComponents(withData, components)]]);
}

function emptySurface(id: string): Surface {
  return {
    ...{ id, version: '0.8', wireVersion: '0.8', root: 'root', sendsData: false },
    ...{ components: new Map(), data: {}, writes: [] },
    ...{ isShown: false, isDeleted: false, isCut: false, size: 0 },
  };
}

function applyTo(surface: Surface, operation: Exclude<Operation, { kind: 'create' }>): Surface {
  switch (operation.kind) {
    case 'components':
      return withComponents(surface, operation.components);
    case 'data':
      return withWrite(surface, operation.path, operation.value);
    case 'delete':
      return { ...surface, isDeleted: true, components: new Map(), data: {}, size: 0 };
  }
}

/** A component replaces the one with its id. */
function withComponents(surface: Surface, components: readonly Component[]): Surface {
  if (components.length === 0) return surface;
  const all = new Map(surface.components);
  let { size, isCut } = surface;
  for (const component of components) {
    const known = all.get(component.id);
    const growth = sizeOf(component.props) - (known ? sizeOf(known.props) : 0);
    if ((!known && all.size >= MAX_A2UI_COMPONENTS) || size + growth > MAX_A2UI_SIZE) {
      isCut = true;
      continue;
    }
    size += growth;
    all.set(component.id, component);
  }
  return { ...surface, components: all, size, isCut };
}

/** The size counts every write, so that a model that is written again and again also has an end. */
function withWrite(surface: Surface, path: readonly string[], value: JsonValue | undefined): Surface {
  const size = surface.size + (path.length === 0 ? 0 : sizeOf(value ?? null));
  const isWhole = path.length === 0;
  if (size > MAX_A2UI_SIZE || (isWhole && sizeOf(value ?? null) > MAX_A2UI_SIZE)) return { ...surface, isCut: true };
  if (surface.writes.length >= MAX_A2UI_WRITES) return { ...surface, isCut: true };
  const data = withValueAt(surface.data, path, value);
  return { ...surface, data, writes: [...surface.writes, path], size };
}

const sizes = new WeakMap<object, number>();

function sizeOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return String(value).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = JSON.stringify(value).length;
  sizes.set(value, size);
  return size;
}
