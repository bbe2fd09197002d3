package io.millrace.udp.linux;

import java.net.InetSocketAddress;

/**
 * The socket that an endpoint receives on, and what the kernel granted it.
 *
 * @param fd its descriptor
 * @param version of its address
 * @param local the address it is bound to
 * @param cutsTrains the kernel cuts trains (GSO)
 * @param joinsTrains the kernel may deliver trains whole (GRO)
 * @param readsMarks datagrams carry the ECN codepoint of their sender, and arrive with theirs
 * @param reportsErrors ICMP errors come through the error queue
 */
record BoundSocket(
    int fd,
    IpVersion version,
    InetSocketAddress local,
    boolean cutsTrains,
    boolean joinsTrains,
    boolean readsMarks,
    boolean reportsErrors) {}
