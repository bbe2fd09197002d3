package io.millrace.nic;

import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.handshake.AdvertisedNic;

/**
 * An open endpoint of a worker; its counters go on counting.
 *
 * @param nicName the name of its NIC
 * @param nic what peers are told of the NIC
 * @param driver the driver's name
 * @param address where peers reach it
 * @param counters what it sent and received
 */
public record EndpointDescription(
    String nicName,
    AdvertisedNic nic,
    String driver,
    EndpointAddress address,
    EndpointCounters counters) {}
