package io.millrace.actor.nic;

import io.millrace.driver.EndpointAddress;

/**
 * One of the ways between a worker of this node and one of a peer: an endpoint of each, of one
 * driver family. Immutable, any thread.
 *
 * @param local index among the endpoints that this side advertised
 * @param remote index among the endpoints that the peer advertised
 * @param address where the peer's endpoint is
 * @param isOneSided whether each side may write into the other's regions by it
 */
public record Rail(int local, int remote, EndpointAddress address, boolean isOneSided) {}
