import type { JsonValue } from '../../json';
import type { Path } from '../messages/pointer';

export type Justify = 'start' | 'center' | 'end' | 'spaceBetween' | 'spaceAround' | 'spaceEvenly' | 'stretch';
export type Align = 'start' | 'center' | 'end' | 'stretch';
export type ImageSize = 'icon' | 'avatar' | 'smallFeature' | 'mediumFeature' | 'largeFeature' | 'header';

/** The value of a control: where a change is written, and what is wrong with it. */
interface ControlBase {
  label: string;
  /** The location in the data; null if the component is not bound, so that its value is never sent. */
  path: Path | null;
  /** The message of the first check that fails; null if none does. */
  fault: string | null;
}

/** A component with its values, ready to be displayed. All texts are the agent's, bounded in length. */
export type ViewContent =
  | { kind: 'text'; text: string; style: 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'caption' | 'body' }
  | { kind: 'image'; url: string; alt: string; size: ImageSize; fit: 'contain' | 'cover' }
  | { kind: 'icon'; icon: string }
  | { kind: 'media'; type: 'video' | 'audio'; url: string; text: string }
  | { kind: 'row' | 'column'; children: ViewNode[]; justify: Justify; align: Align }
  | { kind: 'list'; children: ViewNode[]; isHorizontal: boolean; align: Align }
  | { kind: 'card'; child: ViewNode | null }
  | { kind: 'tabs'; tabs: { title: string; child: ViewNode | null }[] }
  | { kind: 'modal'; trigger: ViewNode | null; content: ViewNode | null }
  | { kind: 'divider'; isVertical: boolean }
  | {
      kind: 'button';
      child: ViewNode | null;
      tone: 'default' | 'primary' | 'borderless';
      /** What a press does: an action sent to the agent, the opening of a link, or nothing that is known. */
      press: { kind: 'event'; name: string } | { kind: 'link'; url: string } | { kind: 'none' };
      faults: string[];
      path: null;
    }
  | (ControlBase & {
      kind: 'text-field';
      value: string;
      placeholder: string;
      variant: 'shortText' | 'longText' | 'number';
    })
  /** A field for a secret, which is never displayed. */
  | { kind: 'secret'; label: string }
  | (ControlBase & { kind: 'check-box'; value: boolean })
  | (ControlBase & {
      kind: 'choice';
      options: { label: string; value: string }[];
      value: string[];
      isMultiple: boolean;
      isChips: boolean;
      isFilterable: boolean;
      /** True if the data contains one text instead of a list of texts. */
      isText: boolean;
    })
  | (ControlBase & { kind: 'slider'; value: number; min: number; max: number; step: number | null })
  | (ControlBase & {
      kind: 'date-time';
      value: string;
      type: 'date' | 'time' | 'datetime-local';
      min: string;
      max: string;
    })
  /** A component that is not in the catalog: its texts and children. */
  | { kind: 'unknown'; type: string; texts: string[]; children: ViewNode[] }
  /** A component that has not arrived. */
  | { kind: 'missing' }
  /** A component that contains itself, or beyond the limits. */
  | { kind: 'cut' };

export type ViewNode = ViewContent & {
  /** Unique among the children of one component. */
  key: string;
  /** The component, and where its relative paths start. */
  id: string;
  base: Path;
  index: number | null;
  /** Its share of the width of its row; null if it takes what it needs. */
  weight: number | null;
  /** The accessible name; empty if the agent gave none. */
  accessibleName: string;
};

/** Builds the children of a component. */
export interface Children {
  one: (id: JsonValue | undefined, slot: string) => ViewNode | null;
  many: (children: JsonValue | undefined) => ViewNode[];
}
