package io.millrace.samples.bench.peer;

import java.nio.file.Path;

/**
 * What a server or client finds in its process.
 *
 * @param gate open while the process has its turn
 * @param directory scratch space of this process, in memory where the system has such a place;
 *     removed by the parent
 * @param driver the driver that Millrace is to use, empty for its own choice
 */
public record PeerSite(SpinGate gate, Path directory, String driver) {}
