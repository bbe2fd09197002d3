/** Captured packets: the files that tcpdump and Wireshark write, and what a key log opens. */
@NullMarked
package io.millrace.samples.capture;

import org.jspecify.annotations.NullMarked;
