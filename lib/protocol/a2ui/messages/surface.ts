import type { JsonObject, JsonValue } from '../../json';
import { MAX_A2UI_NAME_LENGTH } from '../../limits';
import type { Path } from './pointer';

/** A generation of the protocol. 0.9.1 is read as 0.9, whose messages it keeps. */
export type A2uiVersion = '0.8' | '0.9' | '1.0';

/** A component as its agent sent it, with the members of A2UI 1.0 in every version. */
export interface Component {
  id: string;
  type: string;
  props: JsonObject;
}

/** One message of an agent, independent of the version. */
export type Operation =
  | {
      kind: 'create';
      surfaceId: string;
      version: A2uiVersion;
      /** The version as the agent writes it, which an action repeats. */
      wireVersion: string;
      /** The component at the top. */
      root: string;
      /** True if the agent wants the data with every action. */
      sendsData: boolean;
      components: Component[];
      data: JsonObject;
    }
  | { kind: 'components'; surfaceId: string; version: A2uiVersion; components: Component[] }
  /** `value` is undefined to remove what is at the path. */
  | { kind: 'data'; surfaceId: string; version: A2uiVersion; path: Path; value: JsonValue | undefined }
  | { kind: 'delete'; surfaceId: string; version: A2uiVersion };

/** The state of a surface after a number of messages. It is replaced and never mutated. */
export interface Surface {
  id: string;
  version: A2uiVersion;
  wireVersion: string;
  root: string;
  sendsData: boolean;
  components: ReadonlyMap<string, Component>;
  data: JsonValue;
  /** The paths that the agent wrote since the start, in order: a person's entries below them are outdated. */
  writes: readonly Path[];
  /** False until the agent asked to show it (0.8: `beginRendering`). */
  isShown: boolean;
  isDeleted: boolean;
  /** True if something was ignored because of a limit. */
  isCut: boolean;
  /** Characters of the JSON of its components and data, approximately. */
  size: number;
}

/** Returns a name of a surface or a component; null for any other value. */
export function readName(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_A2UI_NAME_LENGTH ? value : null;
}
