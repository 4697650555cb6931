/** The variables of MCP Apps, and the colors of Parley from which they come. */
const variables: Readonly<Record<string, string>> = {
  '--color-background-primary': '--color-surface',
  '--color-background-secondary': '--color-sunken',
  '--color-background-tertiary': '--color-raised',
  '--color-background-inverse': '--color-ink',
  '--color-text-primary': '--color-ink',
  '--color-text-secondary': '--color-muted',
  '--color-text-inverse': '--color-surface',
  '--color-text-info': '--color-accent',
  '--color-text-danger': '--color-danger',
  '--color-text-warning': '--color-warn',
  '--color-border-primary': '--color-line-strong',
  '--color-border-secondary': '--color-line',
  '--color-ring-primary': '--color-accent',
};

/** Returns the colors of the page by the names of MCP Apps, and a font that every device has. */
export function hostVariables(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const colors = Object.entries(variables).map(([name, own]) => [name, style.getPropertyValue(own).trim()] as const);
  return {
    ...Object.fromEntries(colors.filter(([, value]) => value !== '')),
    '--font-sans': 'system-ui, sans-serif',
    '--font-mono': 'ui-monospace, monospace',
    '--border-radius-md': '0.5rem',
  };
}
