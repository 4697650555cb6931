'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { controlClass } from '../ui/control-class';
import { lazyPart } from '../ui/lazy-part';
import type { CodeEditorProps } from './code-mirror';

const CodeMirror = lazyPart(async () => (await import('./code-mirror')).CodeMirror);

/** The text of a card to edit: a plain text area until the editor's script is there. */
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
