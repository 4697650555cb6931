/** Disables HTML in an agent's Markdown: tags are plain text. */
export function plainSyntax(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } });
}
