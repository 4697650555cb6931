/** The end of a chain of redirects. */
export interface Landing {
  url: string;
  response: Response;
}

interface Visit {
  method?: 'GET' | 'POST';
  form?: Record<string, string>;
  /** Headers that a browser sends by itself; `null` omits one. */
  origin?: string | null;
}

/** The parts of a browser that a sign-in uses: cookies per host, redirects, forms with their Origin. No scripts. */
export class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') {}

  cookies(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }

  /** One request without following redirects. */
  async send(url: string, { method, form, origin }: Visit = {}): Promise<Response> {
    const verb = method ?? (form ? 'POST' : 'GET');
    const headers = new Headers({ 'user-agent': this.userAgent });
    const jar = this.cookies(url);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    if (verb === 'POST' && origin !== null) headers.set('origin', origin ?? new URL(url).origin);
    const response = await fetch(url, {
      method: verb,
      headers,
      body: form && new URLSearchParams(form),
      redirect: 'manual',
    });
    for (const cookie of response.headers.getSetCookie()) this.storeCookie(jar, cookie);
    return response;
  }

  /** One request and all redirects after it, until a page responds or `until` is true for the next address. */
  async visit(url: string, visit: Visit = {}, until: (next: string) => boolean = () => false): Promise<Landing> {
    let at = url;
    let response = await this.send(at, visit);
    for (let hops = 0; hops < 20; hops++) {
      const location = response.headers.get('location');
      if (!location) return { url: at, response };
      at = new URL(location, at).href;
      if (until(at)) return { url: at, response };
      response = await this.send(at);
    }
    throw new Error(`redirects without end at ${at}`);
  }

  private storeCookie(jar: Map<string, string>, cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/;\s*/);
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8);
    const over =
      attributes.some((attribute) => /^max-age=0$/i.test(attribute)) || (expires && new Date(expires) <= new Date());
    if (over) jar.delete(name);
    else jar.set(name, pair.slice(at + 1));
  }
}
