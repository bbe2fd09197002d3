package io.millrace.udp.linux;

import java.net.InetSocketAddress;

/**
 * The receiving socket of an endpoint, and the options that the kernel granted.
 *
 * @param fd the descriptor of the socket
 * @param version the IP version of the address
 * @param local the bound address
 * @param cutsTrains whether the kernel cuts trains (GSO)
 * @param joinsTrains whether the kernel may deliver whole trains (GRO)
 * @param readsMarks whether sent datagrams carry the ECN codepoint, and received datagrams show
 *     their sender's codepoint
 * @param reportsErrors whether ICMP errors come through the error queue
 */
record BoundSocket(
    int fd,
    IpVersion version,
    InetSocketAddress local,
    boolean cutsTrains,
    boolean joinsTrains,
    boolean readsMarks,
    boolean reportsErrors) {}
