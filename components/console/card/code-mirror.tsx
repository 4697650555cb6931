'use client';

import { json } from '@codemirror/lang-json';
import { forEachDiagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, lineNumbers } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import type { FixableFault } from '@/lib/catalog/schema-cards';

export interface CodeEditorProps {
  /** Accessible name of the text. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  faults: FixableFault[];
  /** Moves the cursor to this position. A new object moves it again. */
  target: { line: number; column: number } | null;
}

/** A JSON editor with inline diagnostics. Tab moves the focus out, as in every field. */
export function CodeMirror({ label, value, onChange, faults, target }: CodeEditorProps): ReactNode {
  const t = useTranslations('console.codeMirror');
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const first = useRef({ value, label });

  useEffect(() => {
    if (!frame.current) return;
    const onUpdate = EditorView.updateListener.of((update) => {
      if (update.docChanged) changed.current(update.state.doc.toString());
    });
    const attributes = EditorView.contentAttributes.of({
      'aria-label': first.current.label,
      spellcheck: 'false',
      // Not needed by browsers, but accessibility checkers require it.
      tabindex: '0',
    });
    const extensions = [
      minimalSetup,
      lineNumbersOf,
      json(),
      lintGutter(),
      onUpdate,
      attributes,
      EditorView.lineWrapping,
    ];
    const editor = new EditorView({
      state: EditorState.create({ doc: first.current.value, extensions }),
      parent: frame.current,
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = faults.map((fault) => {
      const from = offsetOf(editor, fault);
      const { rule, found, expected, fix } = fault;
      const message = t('fault', { rule, found, expected, fix });
      return { from, to: Math.min(editor.state.doc.lineAt(from).to, from + 40), severity: 'error' as const, message };
    });
    if (diagnostics.length > 0 || hasDiagnostics(editor)) {
      editor.dispatch(
        setDiagnostics(
          editor.state,
          diagnostics.sort((a, b) => a.from - b.from),
        ),
      );
    }
  }, [faults, t]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const anchor = offsetOf(editor, target);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    editor.focus();
  }, [target]);

  return <div className="overflow-hidden rounded-lg border border-line-strong" ref={frame} />;
}

function hasDiagnostics(editor: EditorView): boolean {
  let found = false;
  forEachDiagnostic(editor.state, () => {
    found = true;
  });
  return found;
}

/** Returns the offset of a 1-based line and column in the current text. */
function offsetOf({ state: { doc } }: EditorView, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + column - 1, found.to);
}

/** Line numbers and the editor in Parley's colors, which follow light and dark mode. */
export const lineNumbersOf: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  EditorView.theme({
    '&': { backgroundColor: 'var(--color-surface)', color: 'var(--color-ink)', fontSize: '0.8125rem' },
    '&.cm-focused': { outline: '2px solid var(--color-focus)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', maxHeight: '32rem', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--color-ink)', padding: '0.75rem 0' },
    '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
    '.cm-gutters': {
      backgroundColor: 'var(--color-sunken)',
      color: 'var(--color-muted)',
      borderRight: '1px solid var(--color-line)',
    },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--color-ink)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--color-raised)',
      color: 'var(--color-ink)',
      border: '1px solid var(--color-line)',
    },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--color-danger)' },
    '.cm-content ::selection': { backgroundColor: 'var(--color-signal)', color: 'var(--color-on-signal)' },
    // The editor's default syntax colors have too little contrast in dark mode.
    '.cm-line span': { color: 'inherit' },
  }),
];
