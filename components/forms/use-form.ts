'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { announce } from '../ui/overlays/announcer';
import { type ApiProblem, callApi } from './call-api';

/** Text fields of a form by name. */
export type Fields = Record<string, string>;

/** Validation errors by field name, in sentences. */
export type FieldErrors = Record<string, string>;

interface FormOptions {
  method?: 'POST' | 'PUT' | 'PATCH';
  path: string;
  /** The JSON body; defaults to the fields. */
  toBody?: (fields: Fields, form: HTMLFormElement) => object;
  /** Validation that needs no server. */
  check?: (fields: Fields) => FieldErrors;
  /** Called on success. `leaving` keeps the form pending while the browser navigates. */
  onDone: (body: unknown, form: HTMLFormElement) => 'leaving' | 'staying';
}

interface FormState {
  /**
   * To be spread onto `<form>`: before hydration, the browser validates and posts the form itself, so that no input
   * becomes part of a URL.
   */
  form: { method: 'post'; noValidate: boolean; onSubmit: (event: FormEvent<HTMLFormElement>) => void };
  pending: boolean;
  /** A problem that concerns no single field. */
  problem: ApiProblem | null;
  fieldErrors: FieldErrors;
}

/**
 * Submits a form as JSON. Errors are displayed at their fields, the first invalid field receives the focus, and no
 * input is lost.
 */
export function useForm({ method = 'POST', path, toBody, check, onDone }: FormOptions): FormState {
  const [ready, setReady] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const sent = useRef<HTMLFormElement>(null);

  useEffect(() => setReady(true), []);

  useEffect(() => {
    for (const element of sent.current?.elements ?? []) {
      if (isControl(element) && fieldErrors[element.name]) return element.focus();
    }
    const [firstError] = Object.values(fieldErrors);
    // An error of a group belongs to no control.
    if (firstError) announce(firstError, 'assertive');
  }, [fieldErrors]);

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = fieldsOf(form);
    const found = check?.(fields) ?? {};
    sent.current = form;
    setProblem(null);
    setFieldErrors(found);
    if (Object.keys(found).length > 0) return;
    setPending(true);
    const response = await callApi(method, path, toBody ? toBody(fields, form) : fields);
    if (response.ok) {
      if (onDone(response.body, form) === 'staying') setPending(false);
      return;
    }
    setPending(false);
    const named = fieldErrorsOf(response.problem, fields);
    if (Object.keys(named).length > 0) setFieldErrors(named);
    else setProblem(response.problem);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!pending) void send(event.currentTarget);
  }

  return { form: { method: 'post', noValidate: ready, onSubmit }, pending, problem, fieldErrors };
}

function isControl(element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((kind) => element instanceof kind);
}

function fieldsOf(form: HTMLFormElement): Fields {
  const entries = [...new FormData(form)];
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

/** Returns the server's errors for fields of this form. */
function fieldErrorsOf({ faults: fieldErrors }: ApiProblem, fields: Fields): FieldErrors {
  const named = fieldErrors.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', toSentence(message)] as const);
  return Object.fromEntries(named.filter(([name]) => name in fields));
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

export interface SyncedForm<Value> {
  shown: Value;
  /** Must be called when the user edits the form. */
  onInput: () => void;
  /** Must be called when the edits have been submitted. */
  onSent: () => void;
}

/**
 * Returns initial values of a form whose data also changes elsewhere: the latest ones until the user edits it, then the
 * values that the user saw, until submission. Fields never change while they are being edited.
 */
export function useSyncedForm<Value>(newest: Value): SyncedForm<Value> {
  const [seen, setSeen] = useState(newest);
  const [shown, setShown] = useState(newest);
  const [isWritten, setWritten] = useState(false);
  if (newest !== seen) {
    setSeen(newest);
    if (!isWritten) setShown(newest);
  }
  return { shown, onInput: () => setWritten(true), onSent: () => setWritten(false) };
}
