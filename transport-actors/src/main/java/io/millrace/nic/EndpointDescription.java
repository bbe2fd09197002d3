package io.millrace.nic;

import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.handshake.AdvertisedNic;

/**
 * An open endpoint of a worker; the counters go on counting.
 *
 * @param nicName the name of the endpoint's NIC
 * @param nic the description of the NIC for peers
 * @param driver the driver's name
 * @param address the address for peers
 * @param counters the counters of datagrams sent and received
 * @param share the parts of the NIC that the node's workers share
 */
public record EndpointDescription(
    String nicName,
    AdvertisedNic nic,
    String driver,
    EndpointAddress address,
    EndpointCounters counters,
    NicShare share) {}
