/**
 * The network interfaces of a node: the drivers of each interface, and the endpoints opened by a
 * worker. Also the rails from these endpoints to a peer's worker.
 */
@NullMarked
package io.millrace.nic;

import org.jspecify.annotations.NullMarked;
