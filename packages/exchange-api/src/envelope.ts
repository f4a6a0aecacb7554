/** Calls and answers: JSON-RPC, single and batch, and REST. */
import { type Api, ApiError, numberOf, ParamError, UnknownMethod } from './errors.ts';

export interface RpcCall {
  /** As sent, and so it goes back. */
  id: unknown;
  method: string;
  params: unknown;
}
/** `value`: what the body was read as. */
export type RpcCalls = { batch: boolean; calls: Array<RpcCall | null>; value: unknown };
/** What is no JSON, a batch of nothing, and one of too much: for the whole of it there is one answer. */
type NoCalls = 'broken' | 'empty' | 'too long';

const MOST_IN_BATCH = 50;

/** The calls of a body; null for one that is no call. */
export function readRpc(body: string): RpcCalls | NoCalls {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'broken';
  }
  if (!Array.isArray(value)) return { batch: false, calls: [callOf(value)], value };
  if (value.length === 0 || value.length > MOST_IN_BATCH) return value.length === 0 ? 'empty' : 'too long';
  return { batch: true, calls: value.map(callOf), value };
}

function callOf(value: unknown): RpcCall | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== 'string') return null;
  return { id, method, params };
}

const OPERATION = /^(Sports|Account|Heartbeat|Scores)APING\/v1\.0\/([A-Za-z]{1,60})$/;

/** Which operation of which API a method names. Throws UnknownMethod. */
export function operationOf(method: string): { api: Api; name: string } {
  const match = OPERATION.exec(method);
  if (!match) throw new UnknownMethod(method);
  return { api: match[1] === 'Account' ? 'account' : 'betting', name: match[2]! };
}

export interface Fault {
  /** -32700 broken JSON, -32600 no call, -32601 unknown, -32602 a parameter, -32603 ours, -32099 an exception. */
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

/** `requestUUID` names the request in our log. What is no error of the format is told as UNEXPECTED_ERROR. */
export function faultOf(api: Api, error: unknown, requestUUID: string): Fault {
  if (error instanceof ParamError) return { code: -32602, message: 'DSC-0018' };
  if (error instanceof UnknownMethod) return { code: -32601, message: 'DSC-0021' };
  const [code, details] = error instanceof ApiError ? [error.code, error.message] : (['UNEXPECTED_ERROR', ''] as const);
  const named = numberOf(api, code);
  return {
    code: -32099,
    message: named.text,
    data: {
      exceptionname: named.name,
      [named.name]: { requestUUID, errorCode: named.code, errorDetails: details },
    },
  };
}

export const rpcResult = (id: unknown, result: unknown): object => ({ jsonrpc: '2.0', result, ...idOf(id) });
export const rpcFault = (id: unknown, error: Fault): object => ({ jsonrpc: '2.0', error, ...idOf(id) });
const idOf = (id: unknown): object => (id === undefined ? {} : { id });

/** The body of HTTP 400 at the REST door. */
export const restFault = ({ message, data }: Fault): object => ({
  faultcode: 'Client',
  faultstring: message,
  detail: data ?? {},
});
