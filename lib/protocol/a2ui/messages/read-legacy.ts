import { isObject, type JsonObject, type JsonValue } from '../../json';
import { readPath } from './pointer';
import { type Component, type Operation, readName } from './surface';

// A2UI 0.8: properties are wrapped by the type of their value, and components by their type.

/** Reads a message of A2UI 0.8; null for any other. */
export function readLegacyMessage(message: JsonObject): Operation | null {
  const version = '0.8';
  const { beginRendering, surfaceUpdate, dataModelUpdate, deleteSurface } = message;
  const body = [beginRendering, surfaceUpdate, dataModelUpdate, deleteSurface].find(isObject);
  const surfaceId = readName(body?.surfaceId ?? 'default');
  if (!body || surfaceId === null) return null;
  if (body === beginRendering) {
    const root = readName(body.root);
    if (root === null) return null;
    const rest = { wireVersion: version, sendsData: false, components: [], data: {} };
    return { kind: 'create', surfaceId, version, root, ...rest };
  }
  if (body === surfaceUpdate) {
    return { kind: 'components', surfaceId, version, components: readComponents(body.components) };
  }
  if (body === deleteSurface) return { kind: 'delete', surfaceId, version };
  const path = readPath(typeof body.path === 'string' ? `/${body.path.replace(/^\//, '')}` : '/');
  return path && { kind: 'data', surfaceId, version, path, value: readContents(body.contents) };
}

/** Reads a list of entries, each with a value of a declared type. */
function readContents(contents: JsonValue | undefined): JsonObject {
  const entries = (Array.isArray(contents) ? contents : []).flatMap((entry): [string, JsonValue][] => {
    if (!isObject(entry) || typeof entry.key !== 'string') return [];
    if (entry.valueMap !== undefined) return [[entry.key, readContents(entry.valueMap)]];
    const value = entry.valueString ?? entry.valueNumber ?? entry.valueBoolean ?? entry.valueArray;
    return value === undefined ? [] : [[entry.key, value]];
  });
  return Object.fromEntries(entries);
}

function readComponents(value: JsonValue | undefined): Component[] {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    const wrapped = isObject(item) ? item.component : undefined;
    const id = isObject(item) ? readName(item.id) : null;
    if (!isObject(item) || id === null || !isObject(wrapped)) return [];
    const [entry] = Object.entries(wrapped);
    const type = readName(entry?.[0]);
    if (type === null || !isObject(entry?.[1])) return [];
    const props = Object.fromEntries(
      Object.entries(entry[1]).map(([name, prop]) => [propNames[name] ?? name, unwrap(prop ?? null)]),
    );
    return [{ id, type: type === 'MultipleChoice' ? 'ChoicePicker' : type, props: adapt(type, item.weight, props) }];
  });
}

const propNames: Readonly<Record<string, string>> = {
  ...{ usageHint: 'variant', distribution: 'justify', alignment: 'align', tabItems: 'tabs', selections: 'value' },
  ...{ entryPointChild: 'trigger', contentChild: 'content', minValue: 'min', maxValue: 'max' },
  ...{ textFieldType: 'variant', altText: 'description' },
};

/** Properties whose name depends on the component. */
function adapt(type: string, weight: JsonValue | undefined, props: JsonObject): JsonObject {
  const all = weight === undefined ? props : { ...props, weight };
  if (type === 'TextField') return { ...all, value: all.text };
  if (type === 'Button') return { ...all, variant: all.primary === true ? 'primary' : 'default', ...actionOf(all) };
  if (type === 'MultipleChoice' && all.maxAllowedSelections !== 1) return { ...all, variant: 'multipleSelection' };
  return all;
}

function actionOf({ action }: JsonObject): JsonObject {
  if (!isObject(action)) return {};
  const pairs = (Array.isArray(action.context) ? action.context : []).flatMap((pair): [string, JsonValue][] =>
    isObject(pair) && typeof pair.key === 'string' ? [[pair.key, pair.value ?? null]] : [],
  );
  return { action: { event: { name: action.name, context: Object.fromEntries(pairs) } } };
}

const literals = ['literalString', 'literalNumber', 'literalBoolean', 'literalArray'];

/** Converts a property of A2UI 0.8 to that of 0.9. */
function unwrap(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isObject(value)) return value;
  if (typeof value.path === 'string') return { path: value.path };
  const literal = literals.find((name) => value[name] !== undefined);
  if (literal) return value[literal] ?? null;
  if (Array.isArray(value.explicitList)) return value.explicitList;
  if (isObject(value.template)) {
    return { componentId: value.template.componentId, path: value.template.dataBinding };
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unwrap(member ?? null)]));
}
