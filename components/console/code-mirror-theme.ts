import type { Extension } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, lineNumbers } from '@codemirror/view';

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
