/**
 * A client of `counsel serve` in one file, for Node 18 or later, Deno, Bun and browsers of the sidecar's own origin.
 *
 *     const controller = connect("http://127.0.0.1:8787", { policy: "p" });
 *     const act = await controller.advise({ context: "room 3", base: "left", ask: () => model("Where to?") });
 *     await controller.outcome(1, { terminated: true });
 *
 * Budget, books, kept answers and log stand with the sidecar. A decision that is sent again under its key is made once, so a request that
 * was cut off is repeated.
 */

/** How the sidecar is reached, and for whom it decides. */
export interface Options {
  /** The policy that decides. */
  policy: string;
  /** The run whose budget pays. */
  run?: string;
  /** The token that the sidecar asks for. */
  token?: string;
  /** Milliseconds that one request may take. */
  timeOutMs?: number;
}

/** What is known when it is decided. */
export interface Situation {
  /** What tells situations apart. */
  context?: string;
  /** The action that the agent proposes. */
  base: string;
  /** Numbers that describe the situation. */
  features?: readonly number[];
  /** How sure the agent is of its proposal, from 0 to 1. */
  confidence?: number;
  /** The idempotency key: a step that may run again passes the same one and is paid for once. It is an episode of its own, unless one was named. */
  key?: string;
}

/** The decision is complete. */
export interface Act {
  asked: boolean;
  /** What the agent must do. */
  action: string;
  verdict: "act" | "execute" | "reject";
  /** Why: a code, and the same in words. */
  reason: string;
  because: string;
  decision: string;
}

/** A question that was paid for: send it, and resume with the reply. */
export interface Ask {
  decision: string;
  permit: string;
  /** Who is to be asked. */
  advisor: string;
  because: string;
  /** Whether the question was handed out before, under the same key, and nobody knows whether it was sent. */
  replayed: boolean;
}

export type Turn = { kind: "act"; act: Act } | { kind: "ask"; ask: Ask };

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
}

/** What became of a question that was put to the policy's own endpoint. */
export interface Told {
  asked: boolean;
  may_act: boolean;
  verdict: string;
  proceed_with: string;
  reason: string;
  decision_id?: string;
  advice?: string;
  lost?: string;
}

/** A sidecar does not answer, or refuses. The status is 0 where it did not answer. */
export class SidecarError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly kind: string,
  ) {
    super(message);
    this.name = "SidecarError";
  }
}

type Body = { [name: string]: unknown };

interface Reply {
  body: Body;
  text: string;
  /** Whether it is the answer to an earlier request with the key. */
  replayed: boolean;
}

const ATTEMPTS = 3;
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** The controller behind this address. */
export function connect(url: string, options: Options): Sidecar {
  return new Sidecar(url, options);
}

/** A policy of a sidecar, and the episodes of one environment; for one more, call `place`. */
export class Sidecar {
  private readonly base: string;
  private readonly nonce = crypto.randomUUID();
  private count = 0;
  private episode: string | undefined;
  private named = false;
  private last: string | undefined;

  constructor(
    url: string,
    private readonly options: Options,
  ) {
    const parsed = new URL(url);
    if (!/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.search !== "") {
      throw new SidecarError("the address is none of a sidecar; pass http://HOST:PORT", 0, "url");
    }
    if (!NAME.test(options.policy)) {
      throw new SidecarError("the policy has no plain name; use letters, digits, -, _ and .", 0, "policy");
    }
    this.base = parsed.origin;
  }

  /** The same policy for one more environment or task, with episodes and outcomes of its own. */
  place(): Sidecar {
    return new Sidecar(this.base, this.options);
  }

  /** Begins the next episode, and ends the one that runs. A decision does it by itself where none runs. */
  async beginEpisode(name?: string): Promise<string> {
    await this.endEpisode();
    this.episode = name ?? `e-${this.fresh()}`;
    this.named = name !== undefined;
    return this.episode;
  }

  /** Ends the episode that runs, if one does. */
  async endEpisode(): Promise<void> {
    if (this.episode !== undefined) {
      const { policy, run = "run" } = this.options;
      try {
        await this.post(`/v1/episodes/${encodeURIComponent(this.episode)}/end`, { policy, run });
      } catch (error) {
        // Nothing was decided in it, or it ended by itself.
        if (!(error instanceof SidecarError && error.status === 404)) throw error;
      }
    }
    this.episode = undefined;
    this.last = undefined;
  }

  /** Decides whether to act or to ask. A question is paid for when it is handed out. */
  async decide(situation: Situation): Promise<Turn> {
    const { context = "any", base, features, confidence, key } = situation;
    const { policy, run = "run" } = this.options;
    // What is sent again must be the same, so a name that is drawn has no place in it.
    const episode = key === undefined || this.named ? { episode: this.episode ?? (await this.beginEpisode()) } : {};
    const fallback = { action: base, ...(confidence !== undefined && { confidence }) };
    const body = { policy, run, ...episode, context: { key: context, ...(features && { features }) }, fallback };
    const reply = await this.post("/v1/decisions", body, key ?? this.fresh());
    const decision = text(reply.body, "decision");
    this.last = decision;
    const replayed = reply.replayed && key !== undefined;
    if (replayed && reply.body["verdict"] === "ask") {
      const known = (await this.send("GET", `/v1/decisions/${decision}`)).body;
      const settled: unknown = Array.isArray(known["settled"]) ? known["settled"].at(-1) : undefined;
      if (known["open"] === null && isBody(settled)) return turned(settled, decision, true, false);
    }
    return turned(reply.body, decision, false, replayed);
  }

  /** Takes the reply to a question; `null` says that none came, which is paid for all the same. */
  async resume(ask: Ask, reply: string | null, usage?: Usage): Promise<Turn> {
    const body = { permit: ask.permit, reply: reply === null ? { lost: true } : { text: reply }, ...(usage && { usage }) };
    const judged = await this.post(`/v1/decisions/${ask.decision}/resume`, body);
    return turned(judged.body, ask.decision, true, false);
  }

  /**
   * Decides, and asks where it is worth it. If `ask` fails, the call is settled as lost, and the error goes on. A question that an earlier run
   * of this step left open under its key is settled as lost, too: it may have been sent, and is not sent twice.
   */
  async advise(situation: Situation & { ask: (ask: Ask) => Promise<string | null> | string | null }): Promise<Act> {
    const { ask, ...known } = situation;
    let turn = await this.decide(known);
    while (turn.kind === "ask") {
      const open: Ask = turn.ask;
      let reply: string | null;
      try {
        reply = open.replayed ? null : await ask(open);
      } catch (error) {
        await this.resume(open, null);
        throw error;
      }
      turn = await this.resume(open, reply);
    }
    return turn.act;
  }

  /** Puts a question to the policy's own endpoint, where the answer is worth its price. The first option is what you would do yourself. */
  async ask(question: string, options?: readonly string[], more: { context?: string; confidence?: number; key?: string } = {}): Promise<Told> {
    const { key, ...known } = more;
    const { policy, run = "run" } = this.options;
    const body = { policy, run, question, ...(options && { options }), ...known };
    const told = (await this.post("/v1/ask", body, key ?? this.fresh())).body;
    if (typeof told["decision_id"] === "string") this.last = told["decision_id"];
    return told as unknown as Told;
  }

  /** Reports the reward of the last decision, or of one that is named. It may come later, and again when it is corrected. */
  async outcome(reward: number, more: { terminated?: boolean; truncated?: boolean; decision?: string } = {}): Promise<void> {
    const decision = more.decision ?? this.last;
    if (decision === undefined) throw new SidecarError("no decision has been made yet; decide before you report an outcome", 0, "state");
    const ended = (more.terminated ?? false) || (more.truncated ?? false);
    const body = { reward, final: ended, ...(more.truncated && { truncated: true }) };
    await this.post(`/v1/decisions/${decision}/outcome`, body);
    if (ended && more.decision === undefined) this.episode = this.last = undefined;
  }

  /** What advice may cost, and what it has cost. */
  async budget(): Promise<Body> {
    return (await this.send("GET", `/v1/budgets/${this.options.policy}`)).body;
  }

  /** Why a decision was made, in words and numbers. */
  async explain(decision: string): Promise<string> {
    return (await this.send("GET", `/v1/decisions/${encodeURIComponent(decision)}/explain`)).text;
  }

  private fresh(): string {
    return `${this.nonce}-${this.count++}`;
  }

  private post(path: string, body: Body, key?: string): Promise<Reply> {
    return this.send("POST", path, JSON.stringify(body), key);
  }

  private async send(method: string, path: string, body?: string, key?: string): Promise<Reply> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["content-type"] = "application/json";
    if (key !== undefined) headers["idempotency-key"] = key;
    if (this.options.token !== undefined) headers["authorization"] = `Bearer ${this.options.token}`;
    for (let attempt = 1; ; attempt++) {
      let response: Response;
      let said: string;
      try {
        const signal = AbortSignal.timeout(this.options.timeOutMs ?? 30_000);
        response = await fetch(this.base + path, { method, headers, signal, redirect: "error", ...(body !== undefined && { body }) });
        said = await response.text();
      } catch (error) {
        if (attempt < ATTEMPTS) continue;
        const reason = error instanceof Error ? error.message : String(error);
        throw new SidecarError(`the sidecar at ${this.base} does not answer (${reason}); start it with \`counsel serve\``, 0, "unreachable");
      }
      const told = parsed(said);
      // A request that this call itself sent twice was not seen before.
      const replayed = attempt === 1 && response.headers.get("idempotent-replayed") === "true";
      if (response.ok) return { body: told, text: said, replayed };
      const message = words(told, "detail") || words(told, "title") || `the sidecar refuses with status ${response.status}`;
      throw new SidecarError(message, response.status, words(told, "type"));
    }
  }
}

/** An answer of the sidecar as a turn. */
function turned(body: Body, decision: string, asked: boolean, replayed: boolean): Turn {
  const [verdict, permit, because] = [body["verdict"], body["permit"], words(body, "because")];
  if (verdict === "ask" && isBody(permit)) {
    return { kind: "ask", ask: { decision, permit: text(permit, "id"), advisor: text(permit, "advisor"), because, replayed } };
  }
  if (verdict !== "act" && verdict !== "execute" && verdict !== "reject") throw strange("verdict");
  return { kind: "act", act: { asked, action: text(body, "action"), verdict, reason: words(body, "reason"), because, decision } };
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(said: string): Body {
  try {
    const value: unknown = JSON.parse(said);
    return isBody(value) ? value : {};
  } catch {
    return {};
  }
}

/** A text that must be there. */
function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw strange(name);
  return value;
}

/** A text that may be there. */
function words(body: Body, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

function strange(name: string): SidecarError {
  return new SidecarError(`the sidecar's answer has no \`${name}\`; use a client and a sidecar of one version`, 0, "version");
}
