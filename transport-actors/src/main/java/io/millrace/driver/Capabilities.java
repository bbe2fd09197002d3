package io.millrace.driver;

/**
 * The capabilities of an endpoint.
 *
 * @param maxDatagramBytes largest message that a single send carries and a single receive delivers,
 *     bytes
 * @param maxTrainPackets packets that a posted train may hold; 1 means no segmentation offload
 * @param maxTrainBytes bytes that a posted train may hold
 * @param segmentationOffload trains are cut by the system (GSO) rather than by the driver
 * @param receiveCoalescing the system may deliver trains whole (GRO)
 * @param ecn congestion marks are set on send and read on receive
 * @param errorQueue ICMP errors of a destination are reported to the handler
 * @param oneSided {@link Endpoint#remoteMemory()} is present: one-sided writes work
 */
public record Capabilities(
    int maxDatagramBytes,
    int maxTrainPackets,
    int maxTrainBytes,
    boolean segmentationOffload,
    boolean receiveCoalescing,
    boolean ecn,
    boolean errorQueue,
    boolean oneSided) {}
