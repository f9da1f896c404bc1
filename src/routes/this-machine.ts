/** A host that only programs of this machine reach. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

interface WhereItIs {
  readonly HOST: string;
  readonly PUBLIC_BASE_URL: string;
}

/**
 * Whether a page may be told the demo key: only where nobody but people at this machine can ask for the page. Everywhere else the
 * page asks for a key, also for this one.
 */
export function isOnlyForThisMachine({ HOST, PUBLIC_BASE_URL }: WhereItIs): boolean {
  return isLoopback(HOST) && isLoopback(new URL(PUBLIC_BASE_URL).hostname);
}
