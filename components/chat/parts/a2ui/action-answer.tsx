'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { isEmpty, toText } from '../../../../lib/protocol/a2ui/values/text-values';
import { isObject, type JsonObject, type JsonValue } from '../../../../lib/protocol/json';
import { UntrustedText } from '../../../ui/display/untrusted-text';

interface ActionAnswerProps {
  /** The text of the button. */
  label: string;
  /** The message that was sent. */
  value: JsonValue;
}

/** Values of an action that are displayed, and the characters of each. */
const MAX_SHOWN = 12;
const MAX_LENGTH = 200;

/** What the person did on a surface: the button, and the values that were sent with it. */
export function ActionAnswer({ label, value }: ActionAnswerProps): ReactNode {
  const t = useTranslations('parts.a2ui');
  const tForm = useTranslations('parts.form');
  const sent = useMemo(() => valuesIn(contextIn(value)), [value]);
  return (
    <div className="space-y-1.5">
      <p className="font-medium">
        <UntrustedText text={label || t('button')} />
      </p>
      {sent.length > 0 ? (
        <dl className="space-y-1 text-sm">
          {sent.slice(0, MAX_SHOWN).map(([name, member]) => (
            <div className="[overflow-wrap:anywhere]" key={name}>
              <dt className="text-xs text-muted">
                <UntrustedText text={name} />
              </dt>
              <dd dir="auto">
                <UntrustedText text={typeof member === 'boolean' ? tForm(member ? 'yes' : 'no') : inWords(member)} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

function inWords(value: JsonValue): string {
  const text = Array.isArray(value) ? value.map(toText).join(', ') : toText(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns the values that are not empty, by the names of the members that contain them. */
function valuesIn(members: JsonObject, above = ''): [string, JsonValue][] {
  return Object.entries(members).flatMap(([member, value]): [string, JsonValue][] => {
    const name = above === '' ? readable(member) : `${above}: ${readable(member)}`;
    if (isObject(value) && above === '') return valuesIn(value, name);
    return isEmpty(value) ? [] : [[name, value ?? null]];
  });
}

/** `highChair` and `high_chair` are "High chair". */
function readable(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the values of an action. */
function contextIn(value: JsonValue): JsonObject {
  const [message] = [value].flat();
  if (isObject(message) && isObject(message.arguments)) return message.arguments;
  const action = isObject(message) ? (message.action ?? message.userAction) : undefined;
  return isObject(action) && isObject(action.context) ? action.context : {};
}
