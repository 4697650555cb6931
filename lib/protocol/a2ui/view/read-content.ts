import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_ITEMS, MAX_A2UI_LABEL_LENGTH } from '../../limits';
import type { Component } from '../messages/surface';
import { failedChecks } from '../values/checks';
import { evaluate, type Scope, textOf } from '../values/evaluate';
import { toText } from '../values/text-values';
import { readControl } from './read-control';
import type { Align, Children, ImageSize, Justify, ViewContent } from './surface-view';

const textStyles = ['h1', 'h2', 'h3', 'h4', 'h5', 'caption', 'body'] as const;
const justifications: readonly Justify[] = [
  ...(['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch'] as const),
];
const alignments: readonly Align[] = ['start', 'center', 'end', 'stretch'];
const imageSizes: readonly ImageSize[] = [
  ...(['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'] as const),
];

/** Returns the content of a component of the catalog, with its values; of any other component, its texts and children. */
export function readContent({ type, props }: Component, scope: Scope, children: Children): ViewContent {
  const text = (name: string): string => textOf(props[name], scope);
  switch (type) {
    case 'Text':
      return { kind: 'text', text: text('text'), style: oneOf(props.variant, textStyles) ?? 'body' };
    case 'Image': {
      const fit = props.fit === 'cover' ? 'cover' : 'contain';
      const size = oneOf(props.variant, imageSizes) ?? 'mediumFeature';
      return { kind: 'image', url: text('url'), alt: text('description').slice(0, MAX_A2UI_LABEL_LENGTH), size, fit };
    }
    case 'Icon':
      return { kind: 'icon', icon: toText(iconName(props.name, scope)) };
    case 'Video':
    case 'AudioPlayer':
      return { kind: 'media', type: type === 'Video' ? 'video' : 'audio', url: text('url'), text: text('description') };
    case 'Divider':
      return { kind: 'divider', isVertical: props.axis === 'vertical' };
    case 'Button':
      return readButton(props, scope, children);
    default:
      return (
        readLayout({ type, props }, children, scope) ??
        readControl({ type, props }, scope) ??
        unknown({ type, props }, scope, children)
      );
  }
}

/** An icon of the agent's own has no name, and is not displayed. */
function iconName(name: JsonValue | undefined, scope: Scope): JsonValue | undefined {
  const found = evaluate(name, scope);
  return typeof found === 'string' ? found : undefined;
}

type Typed = Pick<Component, 'type' | 'props'>;

function readLayout({ type, props }: Typed, children: Children, scope: Scope): ViewContent | null {
  const align = oneOf(props.align, alignments) ?? 'stretch';
  switch (type) {
    case 'Row':
    case 'Column':
      return {
        kind: type === 'Row' ? 'row' : 'column',
        children: children.many(props.children),
        justify: oneOf(props.justify, justifications) ?? 'start',
        align,
      };
    case 'List':
      return {
        kind: 'list',
        children: children.many(props.children),
        isHorizontal: props.direction === 'horizontal',
        align,
      };
    case 'Card':
      return { kind: 'card', child: children.one(props.child, '') };
    case 'Modal':
      return {
        kind: 'modal',
        trigger: children.one(props.trigger, 'trigger'),
        content: children.one(props.content, ''),
      };
    case 'Tabs':
      return {
        kind: 'tabs',
        tabs: listOf(props.tabs).map((tab, index) => ({
          title: textOf(tab.title, scope).slice(0, MAX_A2UI_LABEL_LENGTH),
          child: children.one(tab.child, `tab ${index}`),
        })),
      };
    default:
      return null;
  }
}

function readButton(props: JsonObject, scope: Scope, children: Children): ViewContent {
  const tone = oneOf(props.variant, ['primary', 'borderless'] as const) ?? 'default';
  const faults = failedChecks(props, undefined, scope);
  return {
    kind: 'button',
    child: children.one(props.child, ''),
    tone,
    press: pressOf(props.action, scope),
    faults,
    path: null,
  };
}

function pressOf(action: JsonValue | undefined, scope: Scope): (ViewContent & { kind: 'button' })['press'] {
  if (!isObject(action)) return { kind: 'none' };
  const { event, functionCall } = action;
  if (isObject(event) && typeof event.name === 'string' && event.name !== '')
    return { kind: 'event', name: event.name };
  const isLink = isObject(functionCall) && functionCall.call === 'openUrl';
  const args = isLink ? (functionCall.args ?? functionCall) : null;
  return isObject(args) ? { kind: 'link', url: textOf(args.url, scope) } : { kind: 'none' };
}

/** Names of members that are ids, styles or code, and never texts for a person. */
const notTexts: ReadonlySet<string> = new Set([
  ...['url', 'src', 'href', 'variant', 'action', 'checks', 'catalogId', 'metadata', 'style', 'css', 'html', 'script'],
  ...['child', 'children', 'icon', 'id', 'weight', 'accessibility'],
]);

function unknown({ type, props }: Typed, scope: Scope, children: Children): ViewContent {
  const texts = Object.entries(props).flatMap(([name, value]) => {
    const text = notTexts.has(name) ? undefined : evaluate(value, scope);
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
  const one = children.one(props.child, '');
  return {
    kind: 'unknown',
    type: type.slice(0, MAX_A2UI_LABEL_LENGTH),
    texts: texts.slice(0, 20),
    children: [...(one ? [one] : []), ...children.many(props.children)],
  };
}

function oneOf<Name extends string>(value: JsonValue | undefined, names: readonly Name[]): Name | undefined {
  return names.find((name) => name === value);
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : []).slice(0, MAX_A2UI_ITEMS).filter(isObject);
}
