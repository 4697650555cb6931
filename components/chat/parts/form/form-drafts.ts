import type { RawValues } from '../../../../lib/protocol/forms/check-answer';
import { readSessionItem, setSessionItem } from '../../../ui/controls/session-storage';

const prefix = 'parley.chat.form.';

/** Chosen files of unanswered forms, which are too large to be stored beyond the page. */
const filesByKey = new Map<string, RawValues>();

/** Returns what was entered into a form before. */
export function readFormDraft(key: string): RawValues {
  return { ...parse(readSessionItem(prefix + key)), ...filesByKey.get(key) };
}

/** Stores what was entered into a form; null removes it. */
export function saveFormDraft(key: string, values: RawValues | null): void {
  const all = Object.entries(values ?? {});
  const isFile = ([, value]: [string, unknown]): boolean => Array.isArray(value) && typeof value[0] === 'object';
  const rest = Object.fromEntries(all.filter((entry) => !isFile(entry)));
  setSessionItem(prefix + key, values && JSON.stringify(rest));
  if (values) filesByKey.set(key, Object.fromEntries(all.filter(isFile)));
  else filesByKey.delete(key);
}

/** Parses stored text. Only this page writes it, so all text that parses has the stored shape. */
function parse(text: string | null): RawValues | null {
  try {
    return text === null ? null : (JSON.parse(text) as RawValues);
  } catch {
    return null;
  }
}
