package io.millrace.testkit.internal.node;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;

/**
 * A key as one cipher of one life of a node uses it.
 *
 * @param life whose cipher
 * @param use whether it seals or opens
 * @param name which key
 * @param nonceTail what is combined with a packet's number by XOR; 0 for records
 * @param limits how much the key may seal
 */
public record KeyInUse(
    NodeLife life, CipherUse use, KeyName name, long nonceTail, KeyLimits limits) {}
