import type { JsonValue } from '../../json';
import { applyOperation, type Surfaces } from './apply';
import { readMessages } from './read-messages';
import type { Surface } from './surface';

/** A part with messages, where it is in a conversation. */
export interface PlacedPart {
  /** The agent's turn. */
  turn: string;
  position: string;
  data: JsonValue;
}

/** A surface, and the part in which it is displayed: the first one of the latest turn that changed it. */
export interface PlacedSurface {
  /** Unique in the conversation, also if the agent uses an id again. */
  key: string;
  surface: Surface;
  turn: string;
  position: string;
}

/** The surfaces of a conversation after some of its parts. */
export interface Placement {
  /** Those that messages can change, by surface id. */
  active: ReadonlyMap<string, PlacedSurface>;
  /** Those whose id another one uses now. */
  past: readonly PlacedSurface[];
  /** Parts whose surface is displayed further below. */
  moved: ReadonlySet<string>;
  /** Parts of which some messages were ignored. */
  cut: ReadonlySet<string>;
}

export const noSurfaces: Placement = { active: new Map(), past: [], moved: new Set(), cut: new Set() };

/**
 * Applies the messages of the next part. A creation in a later turn starts another surface even if the agent did not
 * delete the previous one, because models write the same id again.
 */
export function placePart(placement: Placement, { turn, position, data }: PlacedPart): Placement {
  const active = new Map(placement.active);
  const past = [...placement.past];
  const moved = new Set(placement.moved);
  const { operations, isCut } = readMessages(data);
  let surfaces: Surfaces = new Map([...active].map(([id, { surface }]) => [id, surface]));
  for (const operation of operations) {
    const { surfaceId } = operation;
    const known = active.get(surfaceId);
    if (known && operation.kind === 'create' && (known.surface.isDeleted || isOlder(known, turn))) {
      past.push(known);
      active.delete(surfaceId);
      surfaces = without(surfaces, surfaceId);
    }
    const next = applyOperation(surfaces, operation);
    const surface = next.get(surfaceId);
    if (next === surfaces || !surface) continue;
    surfaces = next;
    const before = active.get(surfaceId);
    const stays = before && (before.turn === turn || surface.isDeleted);
    if (before && !stays) moved.add(before.position);
    const place = stays ? before : { key: before?.key ?? `${surfaceId} ${position}`, turn, position };
    active.set(surfaceId, { ...place, surface });
  }
  return { active, past, moved, cut: isCut ? new Set([...placement.cut, position]) : placement.cut };
}

function isOlder({ surface, turn }: PlacedSurface, now: string): boolean {
  return surface.isShown && turn !== now;
}

function without(surfaces: Surfaces, surfaceId: string): Surfaces {
  return new Map([...surfaces].filter(([id]) => id !== surfaceId));
}

/** Returns the surfaces that are displayed in a part, in order of creation. */
export function surfacesAt({ active, past }: Placement, position: string): PlacedSurface[] {
  return [...past, ...active.values()].filter(
    (placed) => placed.position === position && (placed.surface.isShown || placed.surface.isDeleted),
  );
}
