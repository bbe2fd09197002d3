/** Captured packets: the files of tcpdump and Wireshark, and the packets opened by a key log. */
@NullMarked
package io.millrace.samples.capture;

import org.jspecify.annotations.NullMarked;
