import { readSafePattern } from '../../forms/safe-pattern';
import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_ITEMS, MAX_A2UI_LABEL_LENGTH, MAX_FORM_TEXT_LENGTH } from '../../limits';
import type { Component } from '../messages/surface';
import { failedChecks } from '../values/checks';
import { bindingOf, evaluate, type Scope, textOf } from '../values/evaluate';
import { isTrue } from '../values/text-values';
import type { ViewContent } from './surface-view';

type Typed = Pick<Component, 'type' | 'props'>;

/** Returns the content of a control of the catalog; null for any other component. */
export function readControl({ type, props }: Typed, scope: Scope): ViewContent | null {
  const label = textOf(props.label, scope).slice(0, MAX_A2UI_LABEL_LENGTH);
  if (type === 'TextField' && props.variant === 'obscured') return { kind: 'secret', label };
  const value = evaluate(props.value, scope);
  const base = { label, path: bindingOf(props.value, scope), fault: failedChecks(props, value, scope)[0] ?? null };
  switch (type) {
    case 'TextField':
      return { ...base, ...textFieldOf(props, value, scope) };
    case 'CheckBox':
      return { ...base, kind: 'check-box', value: isTrue(value ?? null) };
    case 'ChoicePicker':
      return { ...base, ...choiceOf(props, value, scope) };
    case 'Slider':
      return { ...base, ...sliderOf(props, value) };
    case 'DateTimeInput':
      return { ...base, ...dateTimeOf(props, value, scope) };
    default:
      return null;
  }
}

type Own<Kind extends ViewContent['kind']> = Omit<ViewContent & { kind: Kind }, 'label' | 'path' | 'fault'> & {
  fault?: string;
};

function textFieldOf(
  props: JsonObject,
  raw: JsonValue | undefined,
  scope: Scope,
): Own<'text-field'> | Own<'date-time'> {
  // In 0.8, a date is a variant of a text.
  if (props.variant === 'date')
    return { kind: 'date-time', value: scope.budget.text(raw), type: 'date', min: '', max: '' };
  const value = scope.budget.text(raw).slice(0, MAX_FORM_TEXT_LENGTH);
  const variant = props.variant === 'longText' || props.variant === 'number' ? props.variant : 'shortText';
  const placeholder = textOf(props.placeholder, scope).slice(0, MAX_A2UI_LABEL_LENGTH);
  const pattern = typeof props.validationRegexp === 'string' ? readSafePattern(props.validationRegexp) : null;
  const isFaulty = pattern !== null && value !== '' && value.length <= MAX_A2UI_LABEL_LENGTH && !pattern.test(value);
  return { kind: 'text-field', value, variant, placeholder, ...(isFaulty && { fault: '' }) };
}

function choiceOf(props: JsonObject, value: JsonValue | undefined, scope: Scope): Own<'choice'> {
  const keys = new Set<string>();
  const options = (Array.isArray(props.options) ? props.options : []).slice(0, MAX_A2UI_ITEMS).flatMap((option) => {
    if (!isObject(option)) return [];
    const key = scope.budget.text(option.value).slice(0, MAX_A2UI_LABEL_LENGTH);
    if (keys.has(key)) return [];
    keys.add(key);
    return [{ value: key, label: textOf(option.label, scope).slice(0, MAX_A2UI_LABEL_LENGTH) || key }];
  });
  const given = Array.isArray(value)
    ? value.slice(0, MAX_A2UI_ITEMS)
    : value === undefined || value === ''
      ? []
      : [value];
  return {
    kind: 'choice',
    options,
    value: given.map((one) => scope.budget.text(one)),
    isMultiple: props.variant === 'multipleSelection',
    isChips: props.displayStyle === 'chips',
    isFilterable: props.filterable === true,
    isText: typeof value === 'string' && value !== '',
  };
}

function sliderOf(props: JsonObject, raw: JsonValue | undefined): Own<'slider'> {
  const min = finite(props.min) ?? 0;
  const max = Math.max(min, finite(props.max) ?? 100);
  const { steps } = props;
  const step =
    typeof steps === 'number' && Number.isInteger(steps) && steps >= 1 && max > min ? (max - min) / steps : null;
  const value = finite(typeof raw === 'string' ? Number(raw) : raw) ?? min;
  return { kind: 'slider', min, max, step, value: Math.min(max, Math.max(min, value)) };
}

function finite(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function dateTimeOf(props: JsonObject, value: JsonValue | undefined, scope: Scope): Own<'date-time'> {
  const hasTime = props.enableTime === true;
  const type = props.enableDate === true || !hasTime ? (hasTime ? 'datetime-local' : 'date') : 'time';
  const fitted = (text: string): string => fitTo(type, text);
  return {
    kind: 'date-time',
    type,
    value: fitted(scope.budget.text(value)),
    min: fitted(textOf(props.min, scope)),
    max: fitted(textOf(props.max, scope)),
  };
}

/** Returns the part of a date and time (ISO 8601) that a control can contain; empty if there is none. */
function fitTo(type: 'date' | 'time' | 'datetime-local', text: string): string {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})?(?:T|\s)?(\d{2}:\d{2})?/.exec(text) ?? [];
  if (type === 'date') return date ?? '';
  if (type === 'time') return time ?? '';
  return date && time ? `${date}T${time}` : '';
}
