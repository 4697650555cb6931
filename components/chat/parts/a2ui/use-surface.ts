import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { Path } from '../../../../lib/protocol/a2ui/messages/pointer';
import type { Surface } from '../../../../lib/protocol/a2ui/messages/surface';
import { currentEntries, type Entry, withEntries, withEntry } from '../../../../lib/protocol/a2ui/view/person-entries';
import type { ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import type { JsonValue } from '../../../../lib/protocol/json';
import { readSessionItem, setSessionItem } from '../../../ui/controls/session-storage';

const prefix = 'parley.chat.a2ui.';

export type ButtonNode = ViewNode & { kind: 'button' };

/** What the components of a surface share. */
export interface SurfaceState {
  agentName: string;
  /** False if nothing can be changed any more. */
  isOpen: boolean;
  /** True if more components may follow. */
  isStreaming: boolean;
  /** True if the faults of the controls are displayed. */
  showsFaults: boolean;
  /** True if the person has asked for the pictures. */
  showsImages: boolean;
  /** The button that was pressed. */
  pressed: string | null;
  write: (path: Path, value: JsonValue) => void;
  press: (node: ButtonNode, label: string) => void;
}

export const SurfaceContext = createContext<SurfaceState | null>(null);

/** Returns the state of the surface around a component. */
export function useSurfaceState(): SurfaceState {
  const state = useContext(SurfaceContext);
  if (!state) throw new Error('a component of a surface is displayed within one');
  return state;
}

interface SurfaceValues {
  /** The data with what the person entered. */
  data: JsonValue;
  write: (path: Path, value: JsonValue) => void;
}

/** Keeps what the person enters into a surface, also beyond a reload, until `isOpen` ends. */
export function useSurfaceValues(surface: Surface, draftKey: string, isOpen: boolean): SurfaceValues {
  const [entries, setEntries] = useState<readonly Entry[]>(() => readEntries(draftKey));
  const data = useMemo(() => withEntries(surface, entries), [surface, entries]);
  useEffect(() => {
    const kept = isOpen ? currentEntries(surface, entries) : [];
    setSessionItem(prefix + draftKey, kept.length === 0 ? null : JSON.stringify(kept));
  }, [draftKey, entries, isOpen, surface]);
  const { length } = surface.writes;
  return { data, write: (path, value) => setEntries((known) => withEntry(known, { path, value, since: length })) };
}

/** Parses stored text. Only this page writes it, so all text that parses has the stored shape. */
function readEntries(draftKey: string): Entry[] {
  try {
    return JSON.parse(readSessionItem(prefix + draftKey) ?? '[]') as Entry[];
  } catch {
    return [];
  }
}

/** Minimum time between two updates of what is displayed, milliseconds. */
const UPDATE_MS = 100;

/** Returns the value, but changes at most ten times per second. The latest value always arrives. */
export function useThrottled<Value>(value: Value): Value {
  const [shown, setShown] = useState({ value, at: 0 });
  useEffect(() => {
    if (shown.value === value) return;
    const wait = Math.max(0, shown.at + UPDATE_MS - performance.now());
    const timer = setTimeout(() => setShown({ value, at: performance.now() }), wait);
    return () => clearTimeout(timer);
  }, [shown, value]);
  return shown.value;
}
