'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { announce } from '../ui/announcer';
import { type ApiProblem, callApi } from './call-api';

/** Text fields of a form by name. */
export type Fields = Record<string, string>;

/** What is wrong with fields, in sentences by name. */
export type Faults = Record<string, string>;

interface FormOptions {
  method?: 'POST' | 'PUT' | 'PATCH';
  path: string;
  /** The JSON body; the fields as they are, unless given. */
  toBody?: (fields: Fields, form: HTMLFormElement) => object;
  /** What can be found wrong without asking the server. */
  check?: (fields: Fields) => Faults;
  /** `leaving` keeps the form at work while the browser goes to another page. */
  onDone: (body: unknown, form: HTMLFormElement) => 'leaving' | 'staying';
}

export interface FormState {
  /** Spread onto `<form>`: until script is ready, the browser checks and posts the form itself: nothing typed goes into an address. */
  form: { method: 'post'; noValidate: boolean; onSubmit: (event: FormEvent<HTMLFormElement>) => void };
  pending: boolean;
  /** What concerns no single field. */
  problem: ApiProblem | null;
  faults: Faults;
}

/** Sends a form as JSON. Faults stand at their fields, the first faulty one gets the focus, nothing typed is lost. */
export function useForm({ method = 'POST', path, toBody, check, onDone }: FormOptions): FormState {
  const [ready, setReady] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const sent = useRef<HTMLFormElement>(null);

  useEffect(() => setReady(true), []);

  useEffect(() => {
    for (const element of sent.current?.elements ?? []) {
      if (isControl(element) && faults[element.name]) return element.focus();
    }
    const [fault] = Object.values(faults);
    // That of a group stands at no control.
    if (fault) announce(fault, 'assertive');
  }, [faults]);

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = fieldsOf(form);
    const found = check?.(fields) ?? {};
    sent.current = form;
    setProblem(null);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    setPending(true);
    const answer = await callApi(method, path, toBody ? toBody(fields, form) : fields);
    if (answer.ok) {
      if (onDone(answer.body, form) === 'staying') setPending(false);
      return;
    }
    setPending(false);
    const named = faultsOf(answer.problem, fields);
    if (Object.keys(named).length > 0) setFaults(named);
    else setProblem(answer.problem);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!pending) void send(event.currentTarget);
  }

  return { form: { method: 'post', noValidate: ready, onSubmit }, pending, problem, faults };
}

function isControl(element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((kind) => element instanceof kind);
}

function fieldsOf(form: HTMLFormElement): Fields {
  const entries = [...new FormData(form)];
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

/** The server's faults that stand at a field of this form. */
function faultsOf({ faults }: ApiProblem, fields: Fields): Faults {
  const named = faults.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', toSentence(message)] as const);
  return Object.fromEntries(named.filter(([name]) => name in fields));
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
