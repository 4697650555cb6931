'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { controlClass } from '../forms/inputs';
import { lazyComponent } from '../ui/overlays/lazy';
import type { CodeEditorProps } from './code-mirror';

const CodeMirror = lazyComponent(async () => (await import('./code-mirror')).CodeMirror);

/** Edits a card's text: a plain text area until the editor is loaded. */
export function CardEditor(props: CodeEditorProps): ReactNode {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const plain = (
    <textarea
      aria-label={props.label}
      className={`${controlClass} min-h-80 py-2 font-mono text-xs`}
      onChange={(event) => props.onChange(event.target.value)}
      rows={20}
      spellCheck={false}
      value={props.value}
    />
  );
  return ready ? (
    <Suspense fallback={plain}>
      <CodeMirror {...props} />
    </Suspense>
  ) : (
    plain
  );
}
