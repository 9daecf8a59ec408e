import * as z from 'zod';
import {schema} from './index.js';
import type {Family, Group, Key, Node} from './node.js';

/** The JSON Schema (draft 7, as editors read it) of a scenario file, made from the same keys that check it. */
export function jsonSchema(): Record<string, unknown> {
  const made = z.toJSONSchema(new Maker().group(schema), {target: 'draft-7', io: 'input', unrepresentable: 'any', reused: 'ref'});
  return {...made, title: 'tiercast scenario'};
}

/** Makes one schema for each node, so that what is used in several places is written once. */
class Maker {
  readonly #made = new Map<Node, z.ZodType>();

  of(node: Node): z.ZodType {
    const known = this.#made.get(node);
    if (known !== undefined) return known;
    const status = node.since === 'later' ? ' (known, not simulated by this version)' : '';
    const fallback = node.says === undefined ? '' : ` [${node.says}]`;
    const made = this.#form(node).describe(`${node.why}${status}${fallback}`);
    this.#made.set(node, made);
    return made;
  }

  #form(node: Node): z.ZodType {
    if (node.kind === 'key') return keyForms(node);
    if (node.kind === 'sequence') return z.array(this.of(node.of));
    if (node.kind === 'family') return z.union([this.#family(node), z.null()]);
    const map = this.group(node);
    return node.short === undefined ? z.union([map, z.null()]) : z.union([z.string(), z.number(), map, z.null()]);
  }

  /** A map without a description, and never null: the whole file. */
  group(node: Group): z.ZodType {
    const keys = Object.fromEntries(Object.entries(node.keys).map(([name, child]) => [name, this.of(child).optional()]));
    return node.others === undefined ? z.strictObject(keys) : z.looseObject(keys);
  }

  #family({names, of}: Family): z.ZodType {
    const member = this.of(of);
    if (names === undefined) return z.record(z.string(), member);
    return z.strictObject(Object.fromEntries(names.map((name) => [name, member.optional()])));
  }
}

/** A value, an expression where one may stand, or null, which takes the key away. */
function keyForms(node: Key): z.ZodType {
  return z.union([node.zod, ...(node.computed ? [z.string().regex(/^\$\{.+\}$/)] : []), z.null()]);
}
