/**
 * The handshake by TLS 1.3 over TCP, of the JDK alone: both sides prove a certificate, then
 * exchange adverts, and the path secret comes from the exporter. No session is resumed.
 */
@NullMarked
package io.millrace.handshake.tls;

import org.jspecify.annotations.NullMarked;
