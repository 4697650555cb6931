import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import {
  checkAnswer,
  type FieldFault,
  type RawValue,
  type RawValues,
} from '../../../../lib/protocol/forms/check-answer';
import type { Form, FormField } from '../../../../lib/protocol/forms/form';
import { readFormDraft, saveFormDraft } from './form-drafts';

export interface FormValues {
  raw: RawValues;
  faults: Readonly<Record<string, FieldFault>>;
  write: (field: FormField, value: RawValue) => void;
  /** Checks all fields. The first invalid one receives the focus. */
  check: () => ReturnType<typeof checkAnswer>;
  element: RefObject<HTMLFormElement | null>;
}

/** Returns the values of a form, which survive a reload until it is answered, except for files. */
export function useFormValues(form: Form, draftKey: string | null): FormValues {
  const [raw, setRaw] = useState<RawValues>(() => ({
    ...initialValues(form),
    ...(draftKey === null ? null : readFormDraft(draftKey)),
  }));
  const [faults, setFaults] = useState<Record<string, FieldFault>>({});
  const element = useRef<HTMLFormElement>(null);
  // Counts the failed checks, each of which moves the focus.
  const [failures, setFailures] = useState(0);

  useEffect(() => {
    if (failures > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failures]);

  const write = useCallback(
    (field: FormField, value: RawValue) => {
      setRaw((before) => {
        const next = { ...before, [field.key]: value };
        if (draftKey !== null) saveFormDraft(draftKey, next);
        return next;
      });
      setFaults(({ [field.key]: _, ...others }) => others);
    },
    [draftKey],
  );

  const check = useCallback(() => {
    const checked = checkAnswer(form, raw);
    setFaults(checked.ok ? {} : checked.faults);
    if (!checked.ok) setFailures((count) => count + 1);
    return checked;
  }, [form, raw]);

  return { raw, faults, write, check, element };
}

function initialValues({ fields }: Form): RawValues {
  return Object.fromEntries(fields.map((field) => [field.key, initialValue(field)]));
}

function initialValue(field: FormField): RawValue | undefined {
  if (field.kind === 'file' || field.kind === 'fixed') return undefined;
  return field.kind === 'date-time' ? toLocal(field.initial) : field.initial;
}

/** Returns a time with an offset as the control has it: without one, in this time zone. */
function toLocal(text: string): string {
  const time = new Date(text);
  if (!/(?:Z|[-+]\d{2}:\d{2})$/.test(text) || Number.isNaN(time.getTime())) return text;
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
