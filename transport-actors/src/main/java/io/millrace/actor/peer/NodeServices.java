package io.millrace.actor.peer;

import io.millrace.actor.body.BodyServices;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.event.TransportEvents;

/**
 * What all workers of a node share; immutable but for the routes.
 *
 * @param settings the transport's settings
 * @param driver opens the workers' endpoints
 * @param aead makes the ciphers of packets
 * @param events where events go
 * @param routes what this node serves
 * @param budget inline bytes to share among peers
 * @param bodies what transfers share that do not fit a datagram
 * @param elements memory of the elements of streams that have arrived
 */
public record NodeServices(
    TransportSettings settings,
    DriverProvider driver,
    AeadProvider aead,
    TransportEvents events,
    Routes routes,
    InlineBudget budget,
    BodyServices bodies,
    StreamBudget elements) {}
