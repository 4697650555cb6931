import { setTimeout as delay } from 'node:timers/promises';
import { publish, subscribe } from '../platform/bus';
import { isDatabaseAway } from '../platform/database-away';
import { createGroupCommit } from '../platform/group-commit';
import { errorFields, log } from '../platform/log';
import { shared } from '../platform/registry';
import { changePlaces, freePlacesOfGone, type PlaceGrant, type PlaceRequest } from './store/places';

export interface PlaceRule {
  /** Name of what is counted, such as `streams`. */
  name: string;
  /** Places of one key, over all nodes. */
  most: number;
}

/** Gives the place back; the second time does nothing. */
export type Release = () => void;

/** The places of one key that this node holds. */
interface Places {
  id: string;
  most: number;
  /** In use. */
  used: number;
  /** Known to the other nodes as this one's; those that are not in use are kept for a while. */
  held: number;
  waiting: number;
  /** The last time that this node asked there were fewer places than it wanted. */
  full: boolean;
  asking: Promise<void> | null;
  makingRoom: Promise<void> | null;
  /** More than half of all places were held when this node asked last, so none is kept that is not in use. */
  crowded: boolean;
  /** Nothing is asked for before this. */
  fullUntil: number;
  touched: boolean;
}

/** How long places that are not in use are kept, milliseconds. */
const keepMs = 5_000;
/** For how long the other nodes may think about what they can give back, and for how long a "no" holds, milliseconds. */
const roomMs = 100;
const fullMs = 250;
const maxBatch = 500;

/**
 * Takes one of the places of `key`, which all nodes share, such as one open stream of a person; null when all are taken. A
 * promise only when this node holds none that is free and has to ask for one.
 */
export function takePlace(rule: PlaceRule, key: string): Release | null | Promise<Release | null> {
  const id = `${rule.name}:${key}`;
  const all = allPlaces();
  const places = all.get(id) ?? newPlaces(id);
  all.set(id, places);
  places.most = rule.most;
  places.touched = true;
  if (isFree(places)) return use(places);
  return performance.now() < places.fullUntil ? null : waitForPlace(places);
}

function newPlaces(id: string): Places {
  const counts = { most: 0, used: 0, held: 0, waiting: 0, fullUntil: 0, full: false };
  return { id, ...counts, asking: null, makingRoom: null, crowded: false, touched: true };
}

function allPlaces(): Map<string, Places> {
  return shared('limit-places', () => {
    const all = new Map<string, Places>();
    setInterval(() => sweep(all), keepMs).unref();
    subscribe('places', '*', (id, from) => {
      const places = from === 'elsewhere' && all.get(id);
      if (places) giveIdleBack(places);
    });
    return all;
  });
}

function isFree({ used, held, most }: Places): boolean {
  return used < held && used < most;
}

function use(places: Places): Release {
  places.used += 1;
  let given = false;
  return () => {
    if (given) return;
    given = true;
    places.used -= 1;
    places.fullUntil = 0;
    if (places.crowded) giveIdleBack(places);
  };
}

async function waitForPlace(places: Places): Promise<Release | null> {
  places.waiting += 1;
  try {
    for (let hasRoom = false; ; ) {
      // A question that is under way did not count this call.
      if (places.asking) await places.asking;
      if (!isFree(places)) await ask(places);
      if (isFree(places)) return use(places);
      if (!places.full && places.used < places.most) continue;
      if (hasRoom) break;
      await makeRoom(places);
      hasRoom = true;
    }
    places.fullUntil = performance.now() + fullMs;
    return null;
  } finally {
    places.waiting -= 1;
  }
}

/** The other nodes hear that somebody waits and give back what they do not use; what gone nodes held is freed. */
function makeRoom(places: Places): Promise<void> {
  places.makingRoom ??= (async () => {
    try {
      await publish('places', places.id);
      await freePlacesOfGone(places.id);
      await delay(roomMs);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    } finally {
      places.makingRoom = null;
    }
  })();
  return places.makingRoom;
}

/** Has this node hold as many places as are in use or waited for. */
function ask(places: Places): Promise<void> {
  places.asking ??= change(places).finally(() => {
    places.asking = null;
    if (places.crowded) giveIdleBack(places);
  });
  return places.asking;
}

async function change(places: Places): Promise<void> {
  const wanted = places.used + places.waiting - places.held;
  places.full = false;
  if (wanted === 0) return;
  // Counted as given back before the others can take them.
  if (wanted < 0) places.held += wanted;
  try {
    const { granted, taken } = await changer()({ key: places.id, most: places.most, change: wanted });
    if (wanted > 0) places.held += granted;
    places.full = granted < wanted;
    places.crowded = taken * 2 > places.most;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    // This node goes on alone.
    places.full = places.held + wanted > places.most;
    if (wanted > 0) places.held = Math.min(places.most, places.held + wanted);
  }
}

/** One statement for all that ask while the one before is under way. */
function changer(): (request: PlaceRequest) => Promise<PlaceGrant> {
  return shared('limit-place-changer', () => createGroupCommit(changePlaces, maxBatch));
}

function giveIdleBack(places: Places): void {
  if (places.asking || places.held <= places.used + places.waiting) return;
  ask(places).catch((error) => log.error('limits.places_not_given_back', { id: places.id, ...errorFields(error) }));
}

/** Gives back what nobody has asked for since the last time, and forgets keys that hold nothing. */
function sweep(all: Map<string, Places>): void {
  for (const [id, places] of all) {
    if (!places.touched) giveIdleBack(places);
    const { held, used, waiting, asking, touched } = places;
    if (!touched && held === 0 && used === 0 && waiting === 0 && !asking) all.delete(id);
    places.touched = false;
  }
}
