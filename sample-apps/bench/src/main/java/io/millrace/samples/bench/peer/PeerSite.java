package io.millrace.samples.bench.peer;

import java.nio.file.Path;

/**
 * The environment of a server or client in its process.
 *
 * @param gate open during the turn of the process
 * @param directory scratch space of this process, in memory where the system has such a place;
 *     removed by the parent
 * @param driver the network driver for Millrace, empty for Millrace's own choice
 */
public record PeerSite(SpinGate gate, Path directory, String driver) {}
