// The precompiled header of PrecompiledHeaders.h is built with this file.
