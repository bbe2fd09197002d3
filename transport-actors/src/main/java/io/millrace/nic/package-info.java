/**
 * The network interfaces of a node: which drivers serve each, the endpoints that a worker opens,
 * and which rails lead from them to a peer's worker.
 */
@NullMarked
package io.millrace.nic;

import org.jspecify.annotations.NullMarked;
